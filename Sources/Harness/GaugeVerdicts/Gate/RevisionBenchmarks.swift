import Foundation
import GaugeMeasurement
import GaugeSupport

/// The benchmarks that an executable lists.
package enum RevisionBenchmarks {
    private struct Entry: Decodable {
        let name: String
        let peer: Bool
    }

    /// Asks an executable for the names of its benchmarks, without those of peers, whose code does not change here.
    ///
    /// - Throws: `GaugeError` when it does not know the command; `Interrupted`.
    package static func names(
        of executable: String, _ selection: BenchmarkSelection, title: String, interruption: Interruption?
    ) throws -> [String] {
        let options =
            (selection.suite.map { ["--suite=\($0)"] } ?? []) + (selection.filter.map { ["--filter=\($0)"] } ?? [])
        let listed = try Tool(path: executable).run(["list", "--format=json"] + options, interruption: interruption)
        // The exit code for no matching name or suite: it lacks these benchmarks.
        if listed.status == ExitCode.usage.rawValue { return [] }
        guard listed.status == 0, let entries = try? JSONDecoder().decode([Entry].self, from: Data(listed.output.utf8))
        else {
            let reason = listed.errors.split(separator: "\n").last.map { ": \($0)" } ?? ""
            throw GaugeError("\(title) does not list its benchmarks\(reason); its main has to be Gauge.main")
        }
        return entries.filter { !$0.peer }.map(\.name)
    }
}
