/// The options of the command line.
struct Options: Equatable {
    enum Action: String {
        case run, list, table
        /// Tries a share of the mutants for a run beside it.
        case work
    }

    static let usage = """
        usage: Fuzz/fuzz mutants [run|list|table] [--modules A,B] [--count N] [--seed N] [--jobs N]
                                 [--fuzz-seconds N] [--retry] [--fresh]
               Fuzz/fuzz mutants test

        Changes the sources of the package in a copy below .build/mutants, by as many mutants in each module, and looks
        whether unit tests, the replay of the corpora or the fuzzers notice.

        run             continues where the last run was stopped, then writes results/mutants.md. The default.
        list            prints the candidates, in the form in which Fuzz/mutants/equivalent.txt names them.
        table           writes results/mutants.md from the results so far.
        test            runs the tool's own tests.
        --modules A,B   only these modules (all of Sources/Cache and Sources/Harness)
        --count N       the number of mutants in each module, 1 to 120 (40)
        --seed N        the seed of the random choice (1)
        --jobs N        the number of mutants that are tried at once, 1 to 64 (2)
        --fuzz-seconds N  seconds of fuzzing for each mutant that tests and replay leave; 0 to skip it (0)
        --retry         tries the survivors of the last run again, since there are new tests or inputs
        --fresh         forgets the last run

        Exit codes: 0 done, 1 something failed, 3 a mutant that equivalent.txt names was killed, 64 wrong usage.
        """

    var action = Action.run
    var folders = Modules.all
    var count = 40
    var seed: UInt64 = 1
    var jobs = 2
    var fuzzSeconds = 0
    var isRetry = false
    var isFresh = false
    /// For ``Action/work``: which share of the mutants, from 0 to one less than ``jobs``.
    var share = 0

    /// The options that choose the mutants, for the processes that work beside this one.
    var workArguments: [String] {
        [
            "--modules", folders.map(Modules.name).joined(separator: ","), "--count", String(count),
            "--seed", String(seed), "--jobs", String(jobs),
        ]
    }

    init(_ arguments: [String]) throws(WrongUsage) {
        var left = arguments[...]
        if let first = left.first, let action = Action(rawValue: first) {
            self.action = action
            left.removeFirst()
        }
        while let name = left.popFirst() {
            switch name {
            case "--modules":
                guard let names = left.popFirst() else { throw WrongUsage("\(name) needs a value") }
                folders = try Modules.folders(of: names.split(separator: ",").map(String.init))
            case "--count": count = try Self.number(name, left.popFirst(), 1...120)
            case "--seed": seed = UInt64(try Self.number(name, left.popFirst(), 0...Int.max))
            case "--jobs": jobs = try Self.number(name, left.popFirst(), 1...64)
            case "--share": share = try Self.number(name, left.popFirst(), 0...63)
            case "--fuzz-seconds": fuzzSeconds = try Self.number(name, left.popFirst(), 0...86_400)
            case "--retry": isRetry = true
            case "--fresh": isFresh = true
            default: throw WrongUsage("unknown option \(name)")
            }
        }
    }

    private static func number(_ name: String, _ value: String?, _ range: ClosedRange<Int>) throws(WrongUsage) -> Int {
        guard let value else { throw WrongUsage("\(name) needs a value") }
        guard let number = Int(value), range.contains(number) else {
            throw WrongUsage(
                "\(name) is '\(value)'; pass a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}

/// A command line that can't be understood.
struct WrongUsage: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
