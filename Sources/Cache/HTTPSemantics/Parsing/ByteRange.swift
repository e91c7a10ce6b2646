/// One member of a `Range` field in bytes (RFC 9110, section 14.1.2). Positions count from 0 and are inclusive.
///
/// A number above `Int64.max` is read as that, before anything is compared: no body is that long.
package enum ByteRange: Hashable, Sendable {
    /// `bytes=500-`: from a position to the end.
    case from(Int64)
    /// `bytes=0-499`: both positions included; the second is not below the first.
    case closed(first: Int64, last: Int64)
    /// `bytes=-500`: this many bytes at the end.
    case suffix(Int64)

    /// The only range of a `Range` value; `nil` if there are several, another unit, or an error.
    package static func parse(_ bytes: RawSpan) -> ByteRange? {
        bytes.withUnsafeBytes { bytes in
            var ranges = ByteRangeList()
            guard let range = ranges.next(in: bytes), ranges.next(in: bytes) == nil, !ranges.isMalformed else {
                return nil
            }
            return range
        }
    }

    /// The same for the text of a field value.
    package static func parse(_ text: String) -> ByteRange? {
        withTrimmedFieldBytes(of: text) { parse(RawSpan(_unsafeBytes: $0)) }
    }

    static func read(_ bytes: UnsafeRawBufferPointer, _ member: Range<Int>) -> ByteRange? {
        guard let dash = member.first(where: { bytes[$0] == UInt8(ascii: "-") }) else { return nil }
        let before = member.lowerBound..<dash
        let behind = dash + 1..<member.upperBound
        if before.isEmpty { return clampedDecimal(bytes, behind).map { .suffix($0) } }
        guard let first = clampedDecimal(bytes, before) else { return nil }
        if behind.isEmpty { return .from(first) }
        guard let last = clampedDecimal(bytes, behind), first <= last else { return nil }
        return .closed(first: first, last: last)
    }
}

/// Iterates over the members of a `Range` value in bytes, without allocating.
package struct ByteRangeList: Sendable {
    private var place = 0
    /// The unit is not `bytes`, there is no range, or a member is not a range: ignore the whole field.
    package private(set) var isMalformed = false

    package init() {}

    /// The next range, `nil` after the last. Pass the same `bytes` at every call.
    package mutating func next(in bytes: RawSpan) -> ByteRange? {
        bytes.withUnsafeBytes { next(in: $0) }
    }

    mutating func next(in bytes: UnsafeRawBufferPointer) -> ByteRange? {
        if isMalformed { return nil }
        let isFirst = place == 0
        if isFirst {
            guard hasBytesUnit(bytes, followedBy: UInt8(ascii: "=")) else { return stop() }
            place = bytesUnitCount + 1
        }
        guard let member = nextListMember(bytes, from: &place) else { return isFirst ? stop() : nil }
        return ByteRange.read(bytes, member) ?? stop()
    }

    private mutating func stop() -> ByteRange? {
        isMalformed = true
        return nil
    }
}

let bytesUnitCount = 5

/// Whether a value begins with the unit `bytes`, in any case, followed by `delimiter`.
func hasBytesUnit(_ value: UnsafeRawBufferPointer, followedBy delimiter: UInt8) -> Bool {
    value.count > bytesUnitCount && value[bytesUnitCount] == delimiter && isBytesUnit(value, 0..<bytesUnitCount)
}

func isBytesUnit(_ value: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
    let name: StaticString = "bytes"
    return range.count == bytesUnitCount
        && (0..<bytesUnitCount).allSatisfy { value[range.lowerBound + $0] | 0x20 == name.utf8Start[$0] }
}

/// The `Content-Range` field of a 206 or 416 (RFC 9110, section 14.4), in bytes.
package struct ContentRange: Hashable, Sendable {
    /// The positions of the body's first and last byte in the whole, both included; `nil` in a 416 (`bytes */1234`).
    package var positions: ClosedRange<Int64>?
    /// Bytes of the whole; `nil` if the sender does not know (`bytes 0-499/*`).
    package var completeLength: Int64?

    package init(positions: ClosedRange<Int64>?, completeLength: Int64?) {
        self.positions = positions
        self.completeLength = completeLength
    }

    /// Reads a field value without the whitespace around it.
    ///
    /// - Returns: `nil` for another unit, a last position below the first or not below the length, a number of 2^63 - 1
    ///   or more, `bytes */*`, and anything else the grammar does not allow.
    package static func parse(_ bytes: RawSpan) -> ContentRange? {
        bytes.withUnsafeBytes { parse($0) }
    }

    /// The same for the text of a field value.
    package static func parse(_ text: String) -> ContentRange? {
        withTrimmedFieldBytes(of: text) { parse($0) }
    }

    static func parse(_ bytes: UnsafeRawBufferPointer) -> ContentRange? {
        let start = bytesUnitCount + 1
        guard hasBytesUnit(bytes, followedBy: UInt8(ascii: " ")),
            let slash = bytes[start...].firstIndex(of: UInt8(ascii: "/"))
        else { return nil }
        let length = slash + 1..<bytes.count
        let isLengthUnknown = isStar(bytes, length)
        let completeLength = isLengthUnknown ? nil : decimal(bytes, length)
        if completeLength == nil, !isLengthUnknown { return nil }

        if isStar(bytes, start..<slash) {
            return isLengthUnknown ? nil : ContentRange(positions: nil, completeLength: completeLength)
        }
        guard let dash = bytes[start..<slash].firstIndex(of: UInt8(ascii: "-")),
            let first = decimal(bytes, start..<dash), let last = decimal(bytes, dash + 1..<slash),
            first <= last, last < completeLength ?? .max
        else { return nil }
        return ContentRange(positions: first...last, completeLength: completeLength)
    }

    private static func isStar(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
        range.count == 1 && bytes[range.lowerBound] == UInt8(ascii: "*")
    }

    /// A number that fits; a clamped one would be a wrong position.
    private static func decimal(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int64? {
        guard let value = clampedDecimal(bytes, range), value < .max else { return nil }
        return value
    }
}

/// The `If-Range` field (RFC 9110, section 13.1.5): the validator of the part that the client already has.
package enum IfRange: Hashable, Sendable {
    /// An entity tag; only a strong one can match.
    case entityTag(EntityTag)
    /// A date, seconds since 1970.
    case date(Int64)

    /// Reads a field value without the whitespace around it; `nil` if it is neither. For `now` see
    /// `HTTPDate.parse(_:now:)`.
    package static func parse(_ bytes: RawSpan, now: Int64) -> IfRange? {
        bytes.withUnsafeBytes { bytes in
            EntityTag.parse(bytes, 0..<bytes.count).map { .entityTag($0) }
                ?? HTTPDate.parse(bytes, now: now).map { .date($0) }
        }
    }
}
