/// The values a property list can hold, as bytes: each is a tag and its content. Little-endian, no gaps.
///
///     tag  follows                                   value
///       0  nothing                                   false
///       1  nothing                                   true
///       2  8 bytes, signed                           an integer
///       3  8 bytes, unsigned                         an integer from 2^63 on
///       4  8 bytes, IEEE 754                         a floating-point number
///       5  8 bytes, IEEE 754                         a date, seconds since 2001
///       6  count (4), UTF-8                          a string
///       7  count (4), bytes                          data
///       8  count (4), values                         an array
///       9  count (4), each: key, value               a dictionary, ordered by key; keys are strings without tags
///
/// A `userInfo` is the byte 1, the version of the format, and a dictionary. Foundation's property lists won't do: their
/// parser ends the process at some damaged lists, and a cache reads its files as untrusted input.
enum UserInfoFormat {
    static let version: UInt8 = 1
    static let mostLevels = 64
    static let mostValues = 1 << 20

    enum Tag: UInt8 {
        case no, yes, integer, unsigned, real, date, string, data, array, dictionary
    }
}

struct UserInfoEncoder {
    private var bytes: [UInt8] = [UserInfoFormat.version]
    private var valueCount = 0

    /// The bytes of a `userInfo`; `nil` if the format cannot hold some value.
    static func encode(_ userInfo: [AnyHashable: Any]) -> [UInt8]? {
        var encoder = UserInfoEncoder()
        return encoder.append(userInfo, level: 0) ? encoder.bytes : nil
    }

    /// - Returns: whether the format can hold the value.
    private mutating func append(_ value: Any, level: Int) -> Bool {
        valueCount += 1
        guard level <= UserInfoFormat.mostLevels, valueCount <= UserInfoFormat.mostValues else { return false }
        guard FoundationCollection.isBounded(value, from: level) else { return false }
        switch value {
        // First, because casting a collection to a class converts everything in it, level by level.
        case let values as [Any]:
            return append(.array) && append(count: values.count)
                && values.allSatisfy { append($0, level: level + 1) }
        case let values as [AnyHashable: Any]: return append(values, level: level)
        case let text as String: return append(.string) && append(Array(text.utf8))
        case let text as Substring: return append(.string) && append(Array(text.utf8))
        case let data as Data: return append(.data) && append([UInt8](data))
        case let date as Date:
            let seconds = date.timeIntervalSinceReferenceDate
            return seconds.isFinite && append(.date) && append(word: seconds.bitPattern)
        case let number as NSNumber: return append(number)
        default: return false
        }
    }

    private mutating func append(_ values: [AnyHashable: Any], level: Int) -> Bool {
        guard append(.dictionary), append(count: values.count), let named = values as? [String: Any],
            // On Linux, a `String` and an `NSString` of the same text are two keys.
            named.count == values.count
        else { return false }
        return named.sorted { $0.key < $1.key }.allSatisfy { key, value in
            append(Array(key.utf8)) && append(value, level: level + 1)
        }
    }

    private mutating func append(_ number: NSNumber) -> Bool {
        // Only `true` and `false` are of this class, no other number.
        if type(of: number) == type(of: NSNumber(value: true)) { return append(number.boolValue ? .yes : .no) }
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "d"), UInt8(ascii: "f"):
            return append(.real) && append(word: number.doubleValue.bitPattern)
        case UInt8(ascii: "Q") where number.uint64Value > Int64.max:
            return append(.unsigned) && append(word: number.uint64Value)
        default: return append(.integer) && append(word: UInt64(bitPattern: number.int64Value))
        }
    }

    private mutating func append(_ tag: UserInfoFormat.Tag) -> Bool {
        bytes.append(tag.rawValue)
        return true
    }

    private mutating func append(count: Int) -> Bool {
        guard let count = UInt32(exactly: count) else { return false }
        withUnsafeBytes(of: count.littleEndian) { bytes.append(contentsOf: $0) }
        return true
    }

    private mutating func append(word: UInt64) -> Bool {
        withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
        return true
    }

    private mutating func append(_ content: [UInt8]) -> Bool {
        guard append(count: content.count) else { return false }
        bytes.append(contentsOf: content)
        return true
    }
}

/// Decodes a `userInfo`; see `UserInfoFormat`. The bytes are untrusted: every count is checked before use, and the
/// memory taken is only a small multiple of theirs.
struct UserInfoDecoder {
    private var rest: ArraySlice<UInt8>

    /// The `userInfo` that all of the bytes encode; `nil` if they encode no value.
    static func decode(_ bytes: [UInt8]) -> [AnyHashable: Any]? {
        guard bytes.first == UserInfoFormat.version else { return nil }
        var decoder = UserInfoDecoder(rest: bytes.dropFirst())
        guard let value = decoder.value(level: 0) as? [AnyHashable: Any], decoder.rest.isEmpty else { return nil }
        return value
    }

    private mutating func value(level: Int) -> Any? {
        guard level <= UserInfoFormat.mostLevels, let tag = rest.popFirst().flatMap(UserInfoFormat.Tag.init) else {
            return nil
        }
        switch tag {
        case .no: return false
        case .yes: return true
        case .integer: return word().map { NSNumber(value: Int64(bitPattern: $0)) }
        case .unsigned: return word().map { NSNumber(value: $0) }
        case .real: return word().map { NSNumber(value: Double(bitPattern: $0)) }
        case .date: return date()
        case .string: return string()
        case .data: return content().map { Data($0) }
        case .array: return array(level: level)
        case .dictionary: return dictionary(level: level)
        }
    }

    private mutating func array(level: Int) -> [Any]? {
        guard let count = count(bytesEach: 1) else { return nil }
        var values: [Any] = []
        for _ in 0..<count {
            guard let value = value(level: level + 1) else { return nil }
            values.append(value)
        }
        return values
    }

    private mutating func dictionary(level: Int) -> [AnyHashable: Any]? {
        guard let count = count(bytesEach: 5) else { return nil }
        var values: [AnyHashable: Any] = [:]
        for _ in 0..<count {
            guard let key = string(), let value = value(level: level + 1) else { return nil }
            values[key] = value
        }
        // Two equal keys cannot have been encoded.
        return values.count == count ? values : nil
    }

    private mutating func date() -> Date? {
        guard let seconds = word().map(Double.init(bitPattern:)), seconds.isFinite else { return nil }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }

    private mutating func string() -> String? { content().flatMap { String(validating: $0, as: UTF8.self) } }

    private mutating func content() -> ArraySlice<UInt8>? {
        guard let count = count(bytesEach: 1) else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// A count of things that take at least this many bytes each; `nil` if fewer bytes follow.
    private mutating func count(bytesEach: Int) -> Int? {
        guard rest.count >= 4 else { return nil }
        let count = rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        rest = rest.dropFirst(4)
        return count <= rest.count / bytesEach ? count : nil
    }

    private mutating func word() -> UInt64? {
        guard rest.count >= 8 else { return nil }
        defer { rest = rest.dropFirst(8) }
        return rest.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
