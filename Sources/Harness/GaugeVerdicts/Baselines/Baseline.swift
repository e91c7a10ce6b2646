import Foundation
import GaugeMeasurement

/// Counts kept for later comparison. It holds no times, since they do not repeat on another day.
package struct Baseline: Equatable, Sendable {
    /// One entry for each key, sorted by key.
    package private(set) var entries: [Entry] = []

    /// The counts taken under one key.
    package struct Entry: Equatable, Sendable {
        package var key: BaselineKey
        /// The reason for choosing these counts as the baseline.
        package var reason: String
        /// The revision of the sources, as git names it.
        package var revision: String
        /// The time of the counting, in UTC: `2026-01-31T12:00:00Z`.
        package var date: String
        package var settings: Settings
        /// The figures by benchmark and then by the name of the metric, each with the range of its repetitions.
        package var figures: [String: [String: RepeatedCount]]

        package init(
            key: BaselineKey, reason: String, revision: String, date: String, settings: Settings,
            figures: [String: [String: RepeatedCount]]
        ) {
            self.key = key
            self.reason = reason
            self.revision = revision
            self.date = date
            self.settings = settings
            self.figures = figures
        }

        package var count: Int { figures.values.reduce(0) { $0 + $1.count } }
    }

    /// The settings on which the counts depend.
    package struct Settings: Equatable, Sendable {
        package var seed: UInt64
        /// Capacity of the memory tier, bytes.
        package var memory: Int
        /// Capacity of the disk tier, bytes.
        package var disk: Int
        /// The number of operations that were counted.
        package var operations: Int

        package init(seed: UInt64, memory: Int, disk: Int, operations: Int) {
            self.seed = seed
            self.memory = memory
            self.disk = disk
            self.operations = operations
        }

        package init(_ settings: RunSettings) {
            self.init(
                seed: settings.seed, memory: settings.memory.bytes, disk: settings.disk.bytes,
                operations: WorkCounts.operations)
        }
    }

    package init(entries: [Entry] = []) { self.entries = entries.sorted { $0.key.description < $1.key.description } }

    package subscript(key: BaselineKey) -> Entry? { entries.first { $0.key == key } }

    /// Adds an entry, or replaces the one with the same key.
    package mutating func put(_ entry: Entry) {
        self = Baseline(entries: entries.filter { $0.key != entry.key } + [entry])
    }
}

extension Baseline.Entry {
    /// The rows that an update leaves as they are: those that it does not count.
    ///
    /// - Parameters:
    ///   - counted: the benchmarks that were counted, also those without a figure.
    ///   - isGone: whether a selected benchmark is no longer in this build, given its name.
    package func rows(beside counted: [String], isGone: (String) -> Bool) -> [String: [String: RepeatedCount]] {
        figures.filter { !counted.contains($0.key) && !isGone($0.key) }
    }

    /// The figures as counts to compare with.
    package var counts: [String: BenchmarkCounts] {
        figures.mapValues { values in
            var counts = BenchmarkCounts()
            counts.values = values
            return counts
        }
    }

    /// The counts that repeat as well as those of their metric do. The others are not kept.
    package static func figures(of table: [String: BenchmarkCounts]) -> [String: [String: RepeatedCount]] {
        table.mapValues { counts in
            counts.values.filter { name, count in
                count.isStable(within: Metric.named(name)?.repeatability ?? RepeatedCount.repeatability)
            }
        }.filter { !$0.value.isEmpty }
    }
}
