import Foundation
import GaugeTraces

/// Counts kept for later comparison. No times, since they don't repeat on another day.
package struct Baseline: Equatable, Sendable {
    /// One entry for each key, sorted by key.
    package private(set) var entries: [Entry] = []

    /// The counts taken under one key.
    package struct Entry: Equatable, Sendable {
        package var key: BaselineKey
        /// Why these counts were chosen as the baseline.
        package var reason: String
        /// The revision of the sources, as git names it.
        package var revision: String
        /// The time of the counting, in UTC: `2026-01-31T12:00:00Z`.
        package var date: String
        package var settings: Settings
        /// The figures by benchmark and metric, each with the range of its repetitions.
        package var figures: [String: [String: RepeatedCount]]

        package var count: Int { figures.values.reduce(0) { $0 + $1.count } }
    }

    /// The settings on which the counts depend.
    package struct Settings: Equatable, Sendable {
        package var seed: UInt64
        /// Capacity of the memory tier, bytes.
        package var memory: Int
        /// Capacity of the disk tier, bytes.
        package var disk: Int
        /// How many operations were counted.
        package var operations: Int

        package init(seed: UInt64, memory: Int, disk: Int, operations: Int) {
            (self.seed, self.memory, self.disk, self.operations) = (seed, memory, disk, operations)
        }

        package init(_ settings: RunSettings) {
            self.init(
                seed: settings.seed, memory: settings.memory.bytes, disk: settings.disk.bytes,
                operations: WorkCounts.operations)
        }
    }

    package init(entries: [Entry] = []) { self.entries = entries.sorted { $0.key.description < $1.key.description } }

    package subscript(key: BaselineKey) -> Entry? { entries.first { $0.key == key } }

    /// The keys that another has, too: this machine's first.
    package func keys(sharedWith other: Baseline) -> [BaselineKey] {
        let shared = entries.map(\.key).filter { other[$0] != nil }
        return shared.filter { $0 == .current } + shared.filter { $0 != .current }
    }

    package mutating func put(_ entry: Entry) {
        self = Baseline(entries: entries.filter { $0.key != entry.key } + [entry])
    }
}

extension Baseline.Entry {
    /// The rows that an update leaves alone because it doesn't count them.
    ///
    /// - Parameters:
    ///   - counted: the benchmarks that were counted, also those without a figure.
    ///   - isGone: whether a selected benchmark, given its name, isn't in this build anymore.
    package func rows(beside counted: [String], isGone: (String) -> Bool) -> [String: [String: RepeatedCount]] {
        figures.filter { !counted.contains($0.key) && !isGone($0.key) }
    }

    package var counts: [String: BenchmarkCounts] {
        figures.mapValues { values in
            var counts = BenchmarkCounts()
            counts.values = values
            return counts
        }
    }

    /// All counts. Those that don't repeat are kept as a range, beside which a later one is judged to be unstable.
    package static func figures(of table: [String: BenchmarkCounts]) -> [String: [String: RepeatedCount]] {
        table.mapValues { counts in counts.values.filter { $0.value.lowest.isFinite && $0.value.highest.isFinite } }
            .filter { !$0.value.isEmpty }
    }
}

/// Reads the file strictly, since it may come from an untrusted branch.
extension Baseline {
    /// The largest file that is read, bytes.
    package static let longestFile = 8 << 20
    private static let mostEntries = 1_000
    private static let longestText = 2_000

    /// - Throws: `JSONError` with the position of the error.
    package init(reading bytes: [UInt8]) throws(JSONError) {
        let document = try JSONReader.read(bytes, atMost: Self.longestFile)
        var fields = try JSONFields(document, name: "the baseline")
        _ = try fields.whole("format", in: Self.format...Self.format)
        let nodes = try fields.list("entries", count: 0...Self.mostEntries)
        try fields.finish()
        var entries: [Entry] = []
        var keys: Set<BaselineKey> = []
        for node in nodes {
            let entry = try Self.entry(node)
            guard keys.insert(entry.key).inserted else {
                throw JSONError(place: node.place, reason: "this key appears a second time; keep one of them")
            }
            entries.append(entry)
        }
        self.init(entries: entries)
    }

    private static func entry(_ node: JSONNode) throws(JSONError) -> Entry {
        var fields = try JSONFields(node, name: "entry")
        var keyFields = try JSONFields(try fields.required("key"), name: "key")
        let key = BaselineKey(
            swift: try keyFields.text("swift", atMost: longestText),
            architecture: try keyFields.text("architecture", atMost: longestText),
            libc: try keyFields.text("libc", atMost: longestText),
            features: try keyFields.text("features", atMost: longestText).split(separator: " ").map(String.init)
                .sorted(),
            // Missing in files of earlier versions.
            valgrind: try keyFields.text("valgrind", atMost: longestText, default: ""))
        try keyFields.finish()
        let settingsNode = try fields.required("settings")
        var settings = try JSONFields(settingsNode, name: "settings")
        guard let seed = UInt64(try settings.text("seed", atMost: 20)) else {
            throw JSONError(
                place: settingsNode.place, reason: "settings.seed takes a whole number from 0 to \(UInt64.max)")
        }
        let capacity = 0...Int(1 << 53)
        let entry = Entry(
            key: key, reason: try fields.text("reason", atMost: longestText),
            revision: try fields.text("revision", atMost: longestText),
            date: try fields.text("date", atMost: longestText),
            settings: Settings(
                seed: seed, memory: try settings.whole("memory", in: capacity),
                disk: try settings.whole("disk", in: capacity),
                operations: try settings.whole("operations", in: 1...1_000_000_000)),
            figures: try figures(try fields.required("figures")))
        try settings.finish()
        try fields.finish()
        return entry
    }

    private static func figures(_ node: JSONNode) throws(JSONError) -> [String: [String: RepeatedCount]] {
        guard case .object(let members) = node.value else {
            throw JSONError(place: node.place, reason: "figures is \(node.kind); write an object in {…}")
        }
        var figures: [String: [String: RepeatedCount]] = [:]
        for (name, value) in members {
            guard let cut = name.range(of: separator, options: .backwards),
                let metric = Metric.named(String(name[cut.upperBound...]))
            else {
                throw JSONError(
                    place: value.place,
                    reason: "'\(name.prefix(80))' is not a benchmark and a metric, as in a/b/c: instructions")
            }
            guard let count = count(value) else {
                throw JSONError(
                    place: value.place,
                    reason: "'\(name.prefix(80))' takes a number from 0 to 1e18, or a text as '100 to 101'")
            }
            figures[String(name[..<cut.lowerBound]), default: [:]][metric.name] = count
        }
        return figures
    }

    /// A number, or the lowest and the highest. Files of earlier versions have only numbers.
    private static func count(_ node: JSONNode) -> RepeatedCount? {
        let parts: [Double]
        switch node.value {
        case .number(let number): parts = [number, number]
        case .text(let text): parts = text.components(separatedBy: rangeWord).compactMap { Double($0) }
        default: return nil
        }
        guard parts.count == 2, parts.allSatisfy((0...1e18).contains), parts[0] <= parts[1] else { return nil }
        return RepeatedCount(parts[0], parts[1])
    }
}

extension Baseline {
    /// The file's text: JSON with sorted keys and one figure per line, so that diffs are readable. A count whose
    /// repetitions differ is a text of the lowest and the highest: `"100000.0 to 100004.0"`.
    package func text() throws -> String {
        try JSONValue.object(["format": .whole(Self.format), "entries": .list(entries.map(Self.value))]).document()
    }

    /// The version of the file's format.
    package static let format = 1
    /// Separates the benchmark from the metric in a figure's name.
    package static let separator = ": "
    static let rangeWord = " to "

    private static func value(_ entry: Entry) -> JSONValue {
        var figures: [String: JSONValue] = [:]
        for (benchmark, values) in entry.figures {
            for (metric, count) in values {
                figures["\(benchmark)\(separator)\(metric)"] =
                    count.lowest == count.highest
                    ? .number(count.lowest) : .text("\(count.lowest)\(rangeWord)\(count.highest)")
            }
        }
        return .object([
            "key": .object([
                "swift": .text(entry.key.swift), "architecture": .text(entry.key.architecture),
                "libc": .text(entry.key.libc), "features": .text(entry.key.features.joined(separator: " ")),
                "valgrind": .text(entry.key.valgrind),
            ]),
            "reason": .text(entry.reason), "revision": .text(entry.revision), "date": .text(entry.date),
            "settings": .object([
                // As text, since JSON numbers can't hold every seed.
                "seed": .text(String(entry.settings.seed)), "memory": .whole(entry.settings.memory),
                "disk": .whole(entry.settings.disk), "operations": .whole(entry.settings.operations),
            ]),
            "figures": .object(figures),
        ])
    }
}
