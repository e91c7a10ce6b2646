// With -DFUZZ, libFuzzer provides `main`; see LibFuzzerEntry.swift.
#if !FUZZ
import Platform

/// The ordinary build of the fuzz targets, which replays inputs without instrumentation.
@main
struct CacheFuzz {
    static let usage = """
        usage: cachefuzz list
               cachefuzz replay [TARGET [PATH …]]
               cachefuzz dump TARGET FILE
               cachefuzz keep PACK KIND FILE WHAT
               cachefuzz pack PACK DIRECTORY
               cachefuzz unpack PACK DIRECTORY

        list      prints the targets.
        replay    runs every input once through the targets' oracles, without instrumentation. A PATH is a file, a
                  pack, or a directory, read recursively; with no PATH the repository's inputs of TARGET, the pack
                  Fuzz/Corpora/TARGET.pack below the current directory, with no TARGET every target's. PACK/NAME is one
                  input of a pack, also for dump. Kinds of disagreement in Fuzz/Known/TARGET.txt are left out.
        dump      prints what an input says: the operations or the messages in it, or its bytes as text and in hexadecimal
                  digits. Inputs of disk_tier and disk_crash are run, and the result of each operation is printed.
        keep      adds FILE to a pack as KIND, seed or regression; WHAT says what it is, in small letters and dashes.
        pack      writes a pack of all files below DIRECTORY. unpack writes a file for each input into DIRECTORY.

        Exit codes: 0 every promise held, 1 an input could not be read, or a target disagrees with its oracle about one, 64
        wrong usage; a broken promise ends the process by a trap, after the input's path has been printed.
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
        case "keep", "pack", "unpack":
            guard let command, let status = PackCommands.run(command, Array(arguments)) else {
                failUsage("keep takes PACK, KIND, FILE and WHAT, pack and unpack take PACK and DIRECTORY")
            }
            exit(status)
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
        var isAgreed = true
        do throws(CorpusError) {
            for target in targets {
                let paths = arguments.count > 1 ? Array(arguments[1...]) : [Corpus.pack(of: target.name)]
                var count = 0
                var findings = try Findings(known: "Fuzz/Known/\(target.name).txt")
                for path in paths {
                    count += try Corpus.forEach(at: path) { (path, input) throws(CorpusError) in
                        // Printed first: if the oracle traps, the last line names the culprit.
                        printError("\(target.name) \(path)")
                        input.withUnsafeBytes { findings.run(target, $0) }
                    }
                }
                for finding in findings.found.values.sorted(by: { $0.kind < $1.kind }) {
                    print("\(finding.message)\n    \(ByteDump.escaped(finding.input))")
                }
                isAgreed = isAgreed && findings.found.isEmpty
                print("\(target.name): \(count) inputs, ", terminator: "")
                print(findings.found.isEmpty ? "every promise held" : "\(findings.found.count) kinds of disagreement")
            }
            return isAgreed ? 0 : 1
        } catch {
            printError("cachefuzz: \(error.description)")
            return 1
        }
    }
}
#endif
