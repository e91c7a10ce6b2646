import Foundation
import GaugeSupport

/// The Go benchmark data format (Go proposal 14313, "Benchmark Data Format"), which benchstat reads: configuration
/// lines `key: value`, then a line per sample. Each set of processes is a sample, so that benchstat can compare two
/// runs.
package struct BenchstatReport {
    private let document: RunDocument

    package init(_ document: RunDocument) { self.document = document }

    package var text: String {
        let environment = document.environment
        let configuration = [
            ("goos", environment.kernel.prefix { $0 != " " }.lowercased()),
            ("goarch", environment.machine), ("pkg", "cachegauge"), ("cpu", environment.processorName),
            ("kernel", environment.kernel), ("file-system", environment.fileSystem ?? "unknown"),
            ("swift", SwiftVersion.compiler), ("build", environment.isDebugBuild ? "debug" : "release"),
            ("seed", String(environment.settings.seed)), ("memory", environment.settings.memory.description),
            ("disk", environment.settings.disk.description),
        ]
        return "# revision \(Self.oneLine(revision))\n"
            + configuration.map { "\($0): \(Self.oneLine($1))\n" }.joined() + "\n"
            + document.rows.map(Self.lines).joined()
    }

    /// benchstat ignores the line with the revision: it puts runs with different configurations into separate tables,
    /// but two revisions must share a table to be compared.
    private var revision: String {
        let revision = document.environment.revision
        let state = revision.isDirty.map { $0 ? "with changes" : "without changes" } ?? "with or without changes"
        return "\(revision.commit ?? "unknown") \(state)"
    }

    private static func lines(_ row: ResultRow) -> String {
        let name = Self.name(row)
        let counts =
            [("allocs/op", row.allocations), ("B/op", row.perOperation(\.allocatedBytes))]
            + [("instrs/op", row.instructions?.perOperation)]
        let extra = counts.compactMap { unit, value in value.map { " \(Quantity.plain($0)) \(unit)" } }.joined()
        guard row.median != nil else {
            guard let rate = row.operationsPerSecond, rate > 0 else { return "" }
            return "\(name) \(row.operations) \(Quantity.plain(1e9 / rate)) ns/op\(extra)\n"
        }
        return row.measuredSets.map { "\(name) \($0.operations) \(Quantity.plain($0.time)) ns/op\(extra)\n" }.joined()
    }

    /// `BenchmarkMemory/hit/1k/subject=tiered-1`: after the prefix comes a capital letter, benchstat can compare by a
    /// part with `=` (`-col /subject`), and the number at the end is the number of threads.
    package static func name(_ row: ResultRow) -> String {
        let stage = row.name.stage.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        let letter = stage.first?.isUppercase == true ? "" : "X"
        let name = "Benchmark\(letter)\(stage)/\(row.name.case)/subject=\(row.name.subject)-\(row.threads)"
        return name.map { $0.isWhitespace ? "_" : String($0) }.joined()
    }

    private static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
