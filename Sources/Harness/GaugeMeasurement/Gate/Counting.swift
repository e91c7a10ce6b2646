import Foundation
import GaugeSupport

extension CountRun {
    /// Counts benchmarks of two builds, and warns if some counts can't be taken. Each build is counted once, and three
    /// times more where they differ: a count that is the same in both has no need to be shown to repeat.
    ///
    /// - Parameter names: a list for each executable.
    package func confirmedCounts(of names: [[String]]) throws -> [[String: BenchmarkCounts]] {
        try warning {
            try Counting.confirmed(try counts(of: names, repetitions: 0..<1)) { again in
                try counts(of: Array(repeating: again, count: executables.count), repetitions: 1..<4)
            }
        }
    }

    /// Counts benchmarks of one build in the same way, beside the kept counts of another.
    package func confirmedCounts(
        of names: [String], beside kept: [String: BenchmarkCounts]
    ) throws -> [String: BenchmarkCounts] {
        try warning {
            try Counting.confirmed([kept, try counts(of: [names], repetitions: 0..<1)[0]]) { again in
                [[:], try counts(of: [again], repetitions: 1..<4)[0]]
            }[1]
        }
    }

    /// Counts benchmarks of one build four times: where they are compared, none of them is counted again.
    package func countsToKeep(of names: [String]) throws -> [String: BenchmarkCounts] {
        try warning { try counts(of: [names], repetitions: 0..<4)[0] }
    }

    private func warning<Value>(_ count: () throws -> Value) rethrows -> Value {
        defer { progress.clear() }
        if let warning { progress.console.note("warning: \(warning)\n") }
        return try count()
    }

    /// Compares how costs grow in two builds, the base and the head. If a series has a chosen benchmark, all its sizes
    /// are counted, and those that both builds have are compared.
    ///
    /// - Parameters:
    ///   - chosen: names of the benchmarks chosen in either build.
    package func growth(
        of chosen: [String], listed: (base: [ListedBenchmark], head: [ListedBenchmark])
    ) throws -> [CountComparison] {
        let present = Set(listed.head.map(\.name))
        let series = GrowthSeries.all(in: listed.base, or: listed.head).filter { series in
            series.members.contains { chosen.contains($0.benchmark) }
        }
        guard !series.isEmpty, executables.count == 2, warning == nil else { return [] }
        defer { progress.clear() }
        let names = series.flatMap { $0.members.map(\.benchmark) }
        // A base that doesn't list the sizes is older than growth, and doesn't count on demand.
        let known = Set(listed.base.filter { $0.entries != nil }.map(\.name))
        guard names.contains(where: known.contains) else { return [] }
        let counts = try instructions(of: [names.filter(known.contains), names.filter(present.contains)])
        return series.map { series in
            let series = series.shared(listed.base, listed.head) ?? series
            return CountComparison(
                series, base: Growth(of: series, counts: counts[0]), head: Growth(of: series, counts: counts[1]))
        }
    }
}

/// What the counting commands have in common.
package enum Counting {
    /// Counts benchmarks again in which two builds seem to differ. Two unstable counts sometimes agree by chance; four
    /// of each build rarely do.
    package static func confirmed(
        _ tables: [[String: BenchmarkCounts]], counting: (_ names: [String]) throws -> [[String: BenchmarkCounts]]
    ) throws -> [[String: BenchmarkCounts]] {
        let doubtful = tables[1].keys.filter { name in
            guard let base = tables[0][name], let head = tables[1][name] else { return false }
            return CountComparison(name, base: base, head: head).lines.contains { line in
                [.worse, .better, .changed].contains(line.verdict)
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

    /// The benchmarks of a table that failed or answered wrongly, by name.
    package static func failures(of table: [String: BenchmarkCounts]) -> [GateDecision.Failure] {
        table.sorted { $0.key < $1.key }.compactMap { name, counts in
            if let failure = counts.failure { return GateDecision.Failure(name, failure) }
            guard counts.wrong > 0 else { return nil }
            return GateDecision.Failure(
                name, "it gives \(counts.wrong) wrong answers; run it alone to see them", hasWrongAnswers: true)
        }
    }

    /// The table without the counts of benchmarks that failed or answered wrongly, since they mean nothing.
    package static func judged(_ table: [String: BenchmarkCounts]) -> [String: BenchmarkCounts] {
        failures(of: table).reduce(into: table) { $0[$1.benchmark] = BenchmarkCounts(failure: $1.reason) }
    }

    /// Rejects a table in which benchmarks failed or answered wrongly.
    ///
    /// - Throws: `GaugeError`, `WrongAnswers`.
    package static func rejectFailures(of table: [String: BenchmarkCounts]) throws {
        guard let failure = failures(of: table).first else { return }
        throw failure.hasWrongAnswers ? WrongAnswers(description: failure.line) : GaugeError(failure.line)
    }

    /// Turns an interruption and wrong answers into exit codes.
    package static func reportingTrouble(to console: Console, _ body: () throws -> ExitCode) throws -> ExitCode {
        do {
            return try body()
        } catch let interrupted as Interrupted {
            ProgressLine(console: console).clear()
            console.note("interrupted\(interrupted.progress)\n")
            return .interrupted
        } catch let wrong as WrongAnswers {
            ProgressLine(console: console).clear()
            console.note("\(wrong)\n")
            return .wrongAnswer
        }
    }
}

package enum RevisionBenchmarks {
    /// Asks an executable for its benchmarks' names, without peers, whose code doesn't change here.
    ///
    /// - Throws: `GaugeError` if it doesn't know the command; `Interrupted`.
    package static func names(
        of executable: String, _ selection: BenchmarkSelection, title: String, interruption: Interruption?
    ) throws -> [String] {
        try list(of: executable, selection, title: title, interruption: interruption).map(\.name)
    }

    package static func list(
        of executable: String, _ selection: BenchmarkSelection, title: String, interruption: Interruption?
    ) throws -> [ListedBenchmark] {
        let options =
            (selection.suite.map { ["--suite=\($0)"] } ?? []) + (selection.filter.map { ["--filter=\($0)"] } ?? [])
        let listed = try Tool(path: executable).run(["list", "--format=json"] + options, interruption: interruption)
        // The exit code for no matching name or suite: it lacks these benchmarks.
        if listed.status == ExitCode.usage.rawValue { return [] }
        guard listed.status == 0,
            let entries = try? JSONDecoder().decode([ListedBenchmark].self, from: Data(listed.output.utf8))
        else {
            let reason = listed.errors.split(separator: "\n").last.map { ": \($0)" } ?? ""
            throw GaugeError("\(title) does not list its benchmarks\(reason); its main has to be Gauge.main")
        }
        return entries.filter { !$0.peer }
    }
}

package struct ListedBenchmark: Codable, Equatable, Sendable {
    package let name: String
    package var peer: Bool = false
    /// See `Benchmark.entries`.
    package let entries: Int?
}
