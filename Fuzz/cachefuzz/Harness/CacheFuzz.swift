// With -DFUZZ, libFuzzer provides `main`; see LibFuzzerEntry.swift.
#if !FUZZ
import Platform

/// The ordinary build of the fuzz targets: replays inputs without instrumentation.
@main
struct CacheFuzz {
    static let usage = """
        usage: cachefuzz list
               cachefuzz replay [TARGET [PATH …]]
               cachefuzz dump TARGET FILE

        list      prints the targets.
        replay    runs every input once through the targets' oracles, without instrumentation. A PATH is a file or a
                  directory, read recursively; with no PATH the repository's corpus of TARGET (Fuzz/Corpora/TARGET below
                  the current directory), with no TARGET every target's.
        dump      prints what an input says: the operations or the messages in it, or its bytes as text and in hexadecimal
                  digits. Inputs of disk_tier and disk_crash are run, and the result of each operation is printed.

        Exit codes: 0 every promise held, 1 an input could not be read, 64 wrong usage; a broken promise ends the process
        by a trap, after the input's path has been printed.
        To fuzz instead of replaying: Fuzz/fuzz run TARGET SECONDS
        """

    static func main() {
        var arguments = CommandLine.arguments.dropFirst()
        let command = arguments.popFirst()
        switch command {
        case "list":
            guard arguments.isEmpty else { failUsage("list takes no \(arguments.joined(separator: " "))") }
            for target in FuzzTarget.all { print(target.name) }
        case "replay":
            exit(replay(Array(arguments)))
        case "dump":
            guard arguments.count == 2, let name = arguments.popFirst(), let path = arguments.popFirst() else {
                failUsage("dump takes TARGET and FILE")
            }
            guard let target = FuzzTarget.named(name) else {
                FuzzTarget.printUnknown(name)
                exit(64)
            }
            exit(target.dump(path))
        case "--help", "-h", "help":
            print(usage)
        default:
            failUsage(command.map { "there is no command '\($0)'" } ?? "a command is missing")
        }
    }

    /// Prints the reason and the help, and ends the process.
    private static func failUsage(_ reason: String) -> Never {
        printError("cachefuzz: \(reason)\n\(usage)")
        exit(64)
    }

    private static func replay(_ arguments: [String]) -> CInt {
        var targets = FuzzTarget.all
        if let name = arguments.first {
            guard let target = FuzzTarget.named(name) else {
                FuzzTarget.printUnknown(name)
                return 64
            }
            targets = [target]
        }
        do throws(CorpusError) {
            for target in targets {
                let paths = arguments.count > 1 ? Array(arguments[1...]) : ["Fuzz/Corpora/\(target.name)"]
                var inputs: [String] = []
                for path in paths { inputs += try Corpus.files(at: path) }
                for path in inputs {
                    // Printed first: when the oracle traps, the last line names the culprit.
                    printError("\(target.name) \(path)")
                    let input = try Corpus.contents(of: path)
                    input.withUnsafeBytes { target.run($0) }
                }
                print("\(target.name): \(inputs.count) inputs, every promise held")
            }
            return 0
        } catch {
            printError("cachefuzz: \(error.description)")
            return 1
        }
    }
}
#endif
