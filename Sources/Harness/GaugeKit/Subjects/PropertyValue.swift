import Foundation

/// A property-list value of the kinds that the harness tests: metadata that an application stores beside an entry.
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
    /// An object that isn't a property list and can't be written to disk, known by its number.
    case object(Int)

    /// The value in Swift syntax: `["a", 1]`.
    public var description: String {
        switch self {
        case .text(let text): text.debugDescription
        case .whole(let number): "\(number)"
        case .data(let bytes): "\(bytes.count) bytes of data"
        case .list(let values): "\(values)"
        case .table(let values): "\(values)"
        case .object(let number): "object \(number)"
        }
    }

    /// The Foundation value.
    public var plain: Any {
        switch self {
        case .text(let text): text
        case .whole(let number): number
        case .data(let bytes): Data(bytes)
        case .list(let values): values.map(\.plain)
        case .table(let values): values.mapValues(\.plain)
        case .object(let number): ProcessObject(number: number)
        }
    }

    /// A Foundation value, converted; `nil` for any other type.
    public init?(_ plain: Any) {
        switch plain {
        case let text as String: self = .text(text)
        case let number as Int: self = .whole(number)
        case let data as Data: self = .data(Array(data))
        case let object as ProcessObject: self = .object(object.number)
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

    /// Converts a Foundation dictionary; `nil` if a key isn't a string or a value has another type.
    public static func table(_ plain: [AnyHashable: Any]) -> [String: PropertyValue]? {
        var table: [String: PropertyValue] = [:]
        for (key, value) in plain {
            guard let key = key.base as? String, let value = PropertyValue(value) else { return nil }
            table[key] = value
        }
        return table
    }
}

private struct ProcessObject: Hashable, Sendable {
    let number: Int
}
