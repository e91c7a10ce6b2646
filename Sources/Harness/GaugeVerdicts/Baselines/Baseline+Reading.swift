import Foundation
import GaugeSupport
import GaugeTraces

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
                .sorted())
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
