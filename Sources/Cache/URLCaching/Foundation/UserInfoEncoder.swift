/// Encodes a `userInfo`; see `UserInfoFormat`.
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
        // First, since casting a collection to a class converts all that it holds, level by level.
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
        guard append(.dictionary), append(count: values.count), let named = values as? [String: Any] else {
            return false
        }
        return named.sorted { $0.key < $1.key }.allSatisfy { key, value in
            append(Array(key.utf8)) && append(value, level: level + 1)
        }
    }

    private mutating func append(_ number: NSNumber) -> Bool {
        // Every true and false is of this class, and no other number.
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
