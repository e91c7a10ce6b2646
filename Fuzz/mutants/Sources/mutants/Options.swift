/// The options of the command line.
struct Options: Equatable {
    enum Action: String {
        case run, list, table
    }

    static let usage = """
        usage: Fuzz/fuzz mutants [run|list|table] [--count N] [--seed N] [--fuzz-seconds N] [--retry] [--fresh]
               Fuzz/fuzz mutants test

        Changes the sources of HTTPSemantics and CacheTiers in a copy below .build/mutants, half of the changes in each, and
        looks whether unit tests, the replay of the corpora or the fuzzers notice.

        run             continues where the last run was stopped, then writes results/mutants.md. The default.
        list            prints the chosen mutants, in the form in which Fuzz/mutants/equivalent.txt names them.
        table           writes results/mutants.md from the results so far.
        test            runs the tool's own tests.
        --count N       the number of mutants, 2 to 4000 (120)
        --seed N        the seed of the random choice (1)
        --fuzz-seconds N  seconds of fuzzing for each mutant that tests and replay leave; 0 to skip it (60)
        --retry         tries the survivors of the last run again, since there are new tests or inputs
        --fresh         forgets the last run

        Exit codes: 0 done, 1 something failed, 3 a mutant that equivalent.txt names was killed, 64 wrong usage.
        """

    var action = Action.run
    var count = 120
    var seed: UInt64 = 1
    var fuzzSeconds = 60
    var isRetry = false
    var isFresh = false

    init(_ arguments: [String]) throws(WrongUsage) {
        var left = arguments[...]
        if let first = left.first, let action = Action(rawValue: first) {
            self.action = action
            left.removeFirst()
        }
        while let name = left.popFirst() {
            switch name {
            case "--count": count = try Self.number(name, left.popFirst(), 2...4000)
            case "--seed": seed = UInt64(try Self.number(name, left.popFirst(), 0...Int.max))
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

/// A command line that cannot be understood.
struct WrongUsage: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
