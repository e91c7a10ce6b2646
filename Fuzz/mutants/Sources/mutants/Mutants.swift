import Foundation

/// `mutants ROOT [arguments]`; the script `run` passes the root of the package.
@main
struct Mutants {
    static func main() {
        var arguments = CommandLine.arguments.dropFirst()
        guard let root = arguments.popFirst() else { fatalError("the script `run` passes the root of the package") }
        if ["--help", "-h", "help"].contains(arguments.first) {
            print(Options.usage)
            return
        }
        do {
            let options = try Options(Array(arguments))
            exit(try Run(root: root, options: options).perform())
        } catch let error as WrongUsage {
            printError("mutants: \(error.reason)\n\(Options.usage)")
            exit(64)
        } catch {
            printError("mutants: \(error)")
            exit(1)
        }
    }
}

func printError(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
}
