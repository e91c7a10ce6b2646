import Foundation
import GaugeSupport

extension Baseline {
    /// The text of the file: JSON with sorted keys and one figure on each line, so that a diff of two versions is
    /// readable.
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

    private static func value(_ entry: Entry) -> JSONValue {
        var figures: [String: JSONValue] = [:]
        for (benchmark, values) in entry.figures {
            for (metric, value) in values { figures["\(benchmark)\(separator)\(metric)"] = .number(value) }
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
