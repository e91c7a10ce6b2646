import Foundation
import GaugeSupport

extension Baseline {
    /// The text of the file: JSON with sorted keys and one figure on each line, so that a diff of two versions is
    /// readable. A count whose repetitions differ is a text of the lowest and the highest: `"100000.0 to 100004.0"`.
    package func text() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let document: JSONValue = .object([
            "format": .whole(Self.format), "entries": .list(entries.map(Self.value)),
        ])
        return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
    }

    /// The version of the file's format.
    package static let format = 1
    /// Separates the benchmark from the metric in a figure's name.
    package static let separator = ": "
    /// Stands between the lowest and the highest count.
    static let rangeWord = " to "

    private static func value(_ entry: Entry) -> JSONValue {
        var figures: [String: JSONValue] = [:]
        for (benchmark, values) in entry.figures {
            for (metric, count) in values {
                figures["\(benchmark)\(separator)\(metric)"] =
                    count.first == count.second
                    ? .number(count.first) : .text("\(count.lowest)\(rangeWord)\(count.highest)")
            }
        }
        return .object([
            "key": .object([
                "swift": .text(entry.key.swift), "architecture": .text(entry.key.architecture),
                "libc": .text(entry.key.libc), "features": .text(entry.key.features.joined(separator: " ")),
            ]),
            "reason": .text(entry.reason), "revision": .text(entry.revision), "date": .text(entry.date),
            "settings": .object([
                // As text, since JSON numbers cannot hold every seed.
                "seed": .text(String(entry.settings.seed)), "memory": .whole(entry.settings.memory),
                "disk": .whole(entry.settings.disk), "operations": .whole(entry.settings.operations),
            ]),
            "figures": .object(figures),
        ])
    }
}
