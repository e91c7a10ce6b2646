/// Names and literals, with those that a person writes in their place.
enum Words {
    static let units = [
        "seconds": "milliseconds", "milliseconds": "seconds", "microseconds": "milliseconds",
        "nanoseconds": "microseconds",
    ]

    static let shifts = ["10": "20", "20": "10", "30": "20"]

    static let powers = [
        "1000": "1", "1000000": "1000", "1000000000": "1000000", "1024": "1000", "1e3": "1", "1e6": "1e3", "1e9": "1e6",
        "1e-3": "1", "1e-6": "1e-3", "1e-9": "1e-6", "3600": "60", "60": "3600", "86400": "3600",
    ]

    /// Levels of confidence and ranks of percentiles.
    static let fractions = [
        "0.5": "0.4", "0.9": "0.95", "0.95": "0.9", "0.975": "0.95", "0.025": "0.05", "0.05": "0.1", "0.01": "0.05",
        "0.99": "0.95", "0.999": "0.99", "1.96": "1.645",
    ]

    /// Whether an expression's last part names something with many elements.
    static func isSequence(_ text: String) -> Bool {
        let name = text.split(separator: ".").last.map(String.init) ?? text
        let endings = [
            "bytes", "body", "text", "data", "key", "name", "url", "value", "field", "tag", "path", "line", "answer",
        ]
        return endings.contains { name.lowercased().hasSuffix($0) }
    }
}

extension StringProtocol {
    /// The text without the spaces at both ends.
    var trimmed: String {
        let start = drop { $0 == " " || $0 == "\t" }
        return String(start.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}
