import Foundation

extension Encodable {
    /// The value as a document that a command writes: indented, members in the order of their names, with a newline.
    package func document() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    }
}

/// A JSON value for encoding documents without a fixed type.
package enum JSONValue: Encodable, Equatable {
    case text(String)
    case number(Double)
    case whole(Int)
    case flag(Bool)
    case null
    case list([JSONValue])
    case object([String: JSONValue])

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let value): try container.encode(value)
        // JSON has no infinity and no NaN.
        case .number(let value): try container.encode(value.isFinite ? value : 0)
        case .whole(let value): try container.encode(value)
        case .null: try container.encodeNil()
        case .flag(let value): try container.encode(value)
        case .list(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }

    /// Members of an object: the numbers that are known.
    package static func members(_ numbers: [String: Double?]) -> [String: JSONValue] {
        numbers.compactMapValues { $0.map(JSONValue.number) }
    }
}

/// A value of a JSON document with its place, so that errors can name it.
package struct JSONNode: Sendable {
    /// The six kinds of RFC 8259, section 3.
    package indirect enum Value: Sendable {
        case null
        case flag(Bool)
        case number(Double)
        case text(String)
        case list([JSONNode])
        /// The members in document order; names are unique.
        case object([(name: String, value: JSONNode)])
    }

    package let value: Value
    package let place: JSONPlace

    package init(value: Value, place: JSONPlace) {
        self.value = value
        self.place = place
    }

    /// The kind for an error message: `a number`.
    package var kind: String {
        switch value {
        case .null: "null"
        case .flag: "true or false"
        case .number: "a number"
        case .text: "a text"
        case .list: "a list"
        case .object: "an object"
        }
    }
}

/// A place in a text. Line and column count from 1; the column counts bytes.
package struct JSONPlace: Hashable, Sendable {
    package var line = 1
    package var column = 1

    package init(line: Int = 1, column: Int = 1) {
        self.line = line
        self.column = column
    }
}

/// Why a text isn't JSON, or exceeds the limits of the reader.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    package let place: JSONPlace
    package let reason: String

    package init(place: JSONPlace, reason: String) {
        self.place = place
        self.reason = reason
    }

    /// `line 3, column 7: …`.
    package var description: String { "line \(place.line), column \(place.column): \(reason)" }
}
