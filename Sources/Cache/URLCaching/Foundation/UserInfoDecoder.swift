/// Decodes a `userInfo`; see `UserInfoFormat`. Any bytes may come: every count is checked before it is used, and no more
/// memory is taken than a small multiple of theirs.
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

    /// A count of things that take at least so many bytes each; `nil` if fewer bytes follow.
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
