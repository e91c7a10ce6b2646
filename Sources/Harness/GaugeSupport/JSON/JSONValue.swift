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
}
