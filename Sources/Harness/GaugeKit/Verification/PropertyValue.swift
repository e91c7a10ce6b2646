import Foundation

/// What a property list can hold, as far as the harness tries it: something that an application puts beside an entry.
public indirect enum PropertyValue: Hashable, Sendable, CustomStringConvertible {
    /// A text.
    case text(String)
    /// A whole number.
    case whole(Int)
    /// Bytes.
    case data([UInt8])
    /// A list.
    case list([PropertyValue])
    /// A dictionary.
    case table([String: PropertyValue])

    /// As one writes it in Swift: `["a", 1]`.
    public var description: String {
        switch self {
        case .text(let text): text.debugDescription
        case .whole(let number): "\(number)"
        case .data(let bytes): "\(bytes.count) bytes of data"
        case .list(let values): "\(values)"
        case .table(let values): "\(values)"
        }
    }

    /// As Foundation has it.
    public var plain: Any {
        switch self {
        case .text(let text): text
        case .whole(let number): number
        case .data(let bytes): Data(bytes)
        case .list(let values): values.map(\.plain)
        case .table(let values): values.mapValues(\.plain)
        }
    }

    /// From what Foundation has; `nil` for what is none of these.
    public init?(_ plain: Any) {
        switch plain {
        case let text as String: self = .text(text)
        case let number as Int: self = .whole(number)
        case let data as Data: self = .data(Array(data))
        case let values as [Any]:
            let read = values.compactMap(PropertyValue.init)
            guard read.count == values.count else { return nil }
            self = .list(read)
        case let values as [AnyHashable: Any]:
            guard let table = Self.table(values) else { return nil }
            self = .table(table)
        default: return nil
        }
    }

    /// A dictionary from what Foundation has; `nil` when a key is no text or a value none of these.
    public static func table(_ plain: [AnyHashable: Any]) -> [String: PropertyValue]? {
        var table: [String: PropertyValue] = [:]
        for (key, value) in plain {
            guard let key = key.base as? String, let value = PropertyValue(value) else { return nil }
            table[key] = value
        }
        return table
    }
}
