import Foundation
import GaugeMeasurement
import GaugeSupport

/// The benchmarks that an executable lists.
package enum RevisionBenchmarks {
    /// Asks an executable for the names of its benchmarks, without those of peers, whose code does not change here.
    ///
    /// - Throws: `GaugeError` when it does not know the command; `Interrupted`.
    package static func names(
        of executable: String, _ selection: BenchmarkSelection, title: String, interruption: Interruption?
    ) throws -> [String] {
        try list(of: executable, selection, title: title, interruption: interruption).map(\.name)
    }

    /// Asks an executable for its benchmarks, without those of peers.
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

/// A benchmark as an executable lists it.
package struct ListedBenchmark: Codable, Equatable, Sendable {
    package let name: String
    package let peer: Bool
    /// See `Benchmark.entries`. An older build does not tell.
    package let entries: Int?

    package init(name: String, peer: Bool = false, entries: Int?) {
        self.name = name
        self.peer = peer
        self.entries = entries
    }
}
