import GaugeSupport

/// Reads leniently, since files come from many versions: a value that is missing or has another type is `nil`.
extension JSONValue: Decodable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let list = try? container.decode([JSONValue].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// A member of an object.
    package subscript(_ name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    package var string: String? { if case .text(let text) = self { text } else { nil } }
    package var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
    package var elements: [JSONValue] { if case .list(let elements) = self { elements } else { [] } }

    /// A finite number.
    package var double: Double? {
        switch self {
        case .number(let number): number.isFinite ? number : nil
        case .whole(let number): Double(number)
        default: nil
        }
    }
}
