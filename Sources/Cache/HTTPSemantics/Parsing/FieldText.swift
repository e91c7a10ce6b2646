/// Like `withFieldBytes(of:_:)`, but without the whitespace around the value, which `HTTPFields` built by hand may
/// have.
@inline(__always)
func withTrimmedFieldBytes<Result>(of text: String, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withFieldBytes(of: text) { body(UnsafeRawBufferPointer(rebasing: $0[trimmed($0, $0.startIndex..<$0.endIndex)])) }
}

/// `range` of `bytes` without spaces and tabs at both ends.
@inline(__always)
func trimmed(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Range<Int> {
    var start = range.lowerBound
    var end = range.upperBound
    while start < end, isWhitespace(bytes[start]) { start += 1 }
    while start < end, isWhitespace(bytes[end - 1]) { end -= 1 }
    return start..<end
}

/// A space or tab, the whitespace of RFC 9110, section 5.6.3.
@inline(__always)
func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

/// Whether a token can contain this byte: visible ASCII except delimiters (RFC 9110, section 5.6.2).
@inline(__always)
func isTokenByte(_ byte: UInt8) -> Bool {
    // One bit a byte, 0x00 to 0x3F and 0x40 to 0x7F.
    let low: UInt64 = 0x03FF_6CFA_0000_0000
    let high: UInt64 = 0x57FF_FFFF_C7FF_FFFE
    return byte < 0x80 && (byte < 0x40 ? low : high) >> UInt64(byte & 0x3F) & 1 == 1
}

/// The number in decimal digits that fills `bytes[range]`, at most `Int64.max`; `nil` if it is empty or contains
/// anything but digits.
func clampedDecimal(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int64? {
    if range.isEmpty { return nil }
    var value: Int64 = 0
    for place in range {
        let digit = bytes[place] &- 0x30
        guard digit <= 9 else { return nil }
        let (tens, isTooLarge) = value.multipliedReportingOverflow(by: 10)
        let (sum, isStillTooLarge) = tens.addingReportingOverflow(Int64(digit))
        value = isTooLarge || isStillTooLarge ? .max : sum
    }
    return value
}

/// The next member of a comma-separated list, without whitespace around it; skips empty members (RFC 9110, section
/// 5.6.1). Commas inside quotes also separate. Moves `place` behind the member.
func nextListMember(_ bytes: UnsafeRawBufferPointer, from place: inout Int) -> Range<Int>? {
    while place < bytes.count {
        let start = place
        while place < bytes.count, bytes[place] != UInt8(ascii: ",") { place += 1 }
        let member = trimmed(bytes, start..<place)
        place += 1
        if !member.isEmpty { return member }
    }
    return nil
}

/// A place: `count` bytes from `offset` of a field value or a field block, as its owner says.
///
/// Parsers return places instead of bytes, so they copy nothing and keep nothing alive.
public struct FieldRange: Hashable, Sendable {
    /// Offset of the first byte.
    public var offset: UInt32
    /// The number of bytes.
    public var count: UInt32

    /// `count` bytes from `offset`.
    @inlinable
    public init(offset: UInt32 = 0, count: UInt32 = 0) {
        self.offset = offset
        self.count = count
    }

    /// The same place as a range of offsets.
    @inlinable public var range: Range<Int> { Int(offset)..<Int(offset) + Int(count) }

    /// The text at this place in `bytes`; empty if the place is not inside. Bytes that are not UTF-8 are escaped; see
    /// `HTTPFields.Field.valueBytes`.
    package func text(in bytes: RawSpan) -> String {
        bytes.withUnsafeBytes { String(fieldBytes: slice(of: $0)) }
    }

    /// The place of `range`, clamped beyond 4 GiB, where no field reaches.
    init(_ range: Range<Int>) {
        self.init(offset: UInt32(clamping: range.lowerBound), count: UInt32(clamping: range.count))
    }

    /// The place of `range`, which ends within the first 4 GiB.
    @inline(__always)
    init(within range: Range<Int>) {
        self.init(offset: UInt32(truncatingIfNeeded: range.lowerBound), count: UInt32(truncatingIfNeeded: range.count))
    }

    /// The bytes at this place; none if it is not inside.
    func slice(of bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        guard range.upperBound <= bytes.count else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return UnsafeRawBufferPointer(rebasing: bytes[range])
    }

    func shifted(by distance: Int) -> FieldRange {
        FieldRange(offset: UInt32(clamping: Int(offset) + distance), count: count)
    }
}

/// The members of a comma-separated list of tokens, as text (RFC 9110, section 5.6.1). For the cold paths.
enum ListMembers {
    /// Skips empty members and the whitespace around members.
    static func of(_ value: String) -> [String] {
        withFieldBytes(of: value) { bytes in
            var members: [String] = []
            var place = 0
            while let member = nextListMember(bytes, from: &place) {
                members.append(String(decoding: bytes[member], as: UTF8.self))
            }
            return members
        }
    }
}

/// Case as HTTP defines it, only for the 26 letters (RFC 9110, section 2.1).
enum AsciiCase {
    static func lowered(_ text: some StringProtocol) -> String {
        String(decoding: text.utf8.map { $0 &- UInt8(ascii: "A") < 26 ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}

extension HTTPFields {
    /// The first line of that name, for fields that may be sent only once; `nil` if missing or empty. Without
    /// whitespace around it, which fields built by hand may have.
    func firstValue(_ name: Name) -> String? {
        guard let place = place(of: name) else { return nil }
        let value = withTrimmedFieldBytes(of: fields[place].value) { String(decoding: $0, as: UTF8.self) }
        return value.isEmpty ? nil : value
    }

    package func contains(_ name: Name) -> Bool {
        place(of: name) != nil
    }
}
