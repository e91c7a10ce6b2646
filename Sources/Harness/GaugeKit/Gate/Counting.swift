/// What commands that count have in common.
enum Counting {
    /// Counts benchmarks, showing how far it is; says what keeps some counts from being taken.
    ///
    /// - Parameters:
    ///   - names: as many lists as executables.
    ///   - executables: copies whose paths are equally long.
    static func counts(
        of names: [[String]], by executables: [String], settings: RunSettings, in directory: TemporaryDirectory,
        interruption: Interruption, console: Console
    ) throws -> [[String: BenchmarkCounts]] {
        let progress = Progress(console: console)
        let run = CountRun(
            executables: executables, settings: settings, directory: directory, interruption: interruption,
            progress: progress)
        progress.clear()
        if let warning = run.warning { console.note("warning: \(warning)\n") }
        defer { progress.clear() }
        let tables = try run.counts(of: names)
        return try confirmed(tables) { again in
            try run.counts(of: Array(repeating: again, count: executables.count))
        }
    }

    /// Counts again what two builds seem to differ in: two counts that do not repeat agree by chance now and then, and
    /// four of each build seldom do.
    static func confirmed(
        _ tables: [[String: BenchmarkCounts]], counting: (_ names: [String]) throws -> [[String: BenchmarkCounts]]
    ) throws -> [[String: BenchmarkCounts]] {
        guard tables.count == 2 else { return tables }
        let doubtful = tables[1].keys.filter { name in
            guard let base = tables[0][name], let head = tables[1][name] else { return false }
            return CountComparison(name, base: base, head: head).lines.contains { line in
                [.regressed, .improved, .changed].contains(line.verdict)
            }
        }.sorted()
        guard !doubtful.isEmpty else { return tables }
        let again = try counting(doubtful)
        return zip(tables, again).map { table, again in
            table.merging(again) { first, second in
                var joined = first
                joined.join(second)
                return joined
            }
        }
    }

    /// What does not run at all, or answers wrongly, is no matter of counting.
    ///
    /// - Throws: `GaugeError`, `WrongAnswers`.
    static func rejectFailures(of table: [String: BenchmarkCounts]) throws {
        for (name, counts) in table.sorted(by: { $0.key < $1.key }) {
            if let failure = counts.failure { throw GaugeError("\(name): \(failure)") }
            if counts.wrong > 0 { throw WrongAnswers(benchmark: name, count: counts.wrong) }
        }
    }

    /// A build that answers wrongly has nothing to be counted.
    struct WrongAnswers: Error, CustomStringConvertible {
        let benchmark: String
        let count: Int

        var description: String { "\(benchmark) gives \(count) wrong answers; run it alone to see them" }
    }

    /// Turns an interruption and wrong answers into their exit codes.
    static func reportingTrouble(to console: Console, _ body: () throws -> ExitCode) throws -> ExitCode {
        do {
            return try body()
        } catch is Interrupted {
            Progress(console: console).clear()
            return .interrupted
        } catch let wrong as WrongAnswers {
            Progress(console: console).clear()
            console.note("\(wrong)\n")
            return .wrongAnswer
        }
    }
}
