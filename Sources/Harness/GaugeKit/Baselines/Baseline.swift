import Foundation

/// Counts that were taken at one time and are kept, for looking back: no times, which another day does not repeat.
struct Baseline: Equatable, Sendable {
    /// One for each key, sorted by it.
    private(set) var entries: [Entry] = []

    /// What was counted under one key.
    struct Entry: Equatable, Sendable {
        var key: BaselineKey
        /// Why these counts are the ones to compare with.
        var reason: String
        /// The state of the sources, as git names it.
        var revision: String
        /// When, in UTC: `2026-01-31T12:00:00Z`.
        var date: String
        var settings: Settings
        /// By benchmark, and then by the name of the metric.
        var figures: [String: [String: Double]]

        var count: Int { figures.values.reduce(0) { $0 + $1.count } }
    }

    /// What the counts depend on beside the code.
    struct Settings: Equatable, Sendable {
        var seed: UInt64
        /// Capacity, bytes.
        var memory: Int
        /// Capacity, bytes.
        var disk: Int
        /// Over so many operations.
        var operations: Int

        init(seed: UInt64, memory: Int, disk: Int, operations: Int) {
            self.seed = seed
            self.memory = memory
            self.disk = disk
            self.operations = operations
        }

        init(_ settings: RunSettings) {
            self.init(
                seed: settings.seed, memory: settings.memory.bytes, disk: settings.disk.bytes,
                operations: WorkCounts.operations)
        }
    }

    init(entries: [Entry] = []) { self.entries = entries.sorted { $0.key.description < $1.key.description } }

    subscript(key: BaselineKey) -> Entry? { entries.first { $0.key == key } }

    /// Takes the place of what there was under the same key.
    mutating func put(_ entry: Entry) {
        self = Baseline(entries: entries.filter { $0.key != entry.key } + [entry])
    }
}

extension Baseline.Entry {
    /// The figures as counts to compare with: what was kept had repeated.
    var counts: [String: BenchmarkCounts] {
        figures.mapValues { values in
            var counts = BenchmarkCounts()
            counts.values = values.mapValues { RepeatedCount($0, $0) }
            return counts
        }
    }

    /// The counts that repeat; those that do not have no place where they are looked back at.
    static func figures(of table: [String: BenchmarkCounts]) -> [String: [String: Double]] {
        table.mapValues { $0.values.filter(\.value.isStable).mapValues(\.mean) }.filter { !$0.value.isEmpty }
    }
}
