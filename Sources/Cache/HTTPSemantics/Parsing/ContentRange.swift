/// The `Content-Range` field of a 206 or 416 (RFC 9110, section 14.4), in bytes.
package struct ContentRange: Hashable, Sendable {
    /// The positions of the body's first and last byte in the whole, both included; `nil` in a 416 (`bytes */1234`).
    package var positions: ClosedRange<Int64>?
    /// Bytes of the whole; `nil` when the sender does not know it (`bytes 0-499/*`).
    package var completeLength: Int64?

    /// A part of a representation.
    package init(positions: ClosedRange<Int64>?, completeLength: Int64?) {
        self.positions = positions
        self.completeLength = completeLength
    }

    /// Reads a field value without the whitespace around it.
    ///
    /// - Returns: `nil` for another unit, a last position below the first or not below the length, a number of 2^63 - 1
    ///   or more, `bytes */*`, and whatever else the grammar does not allow.
    package static func parse(_ bytes: RawSpan) -> ContentRange? {
        bytes.withUnsafeBytes { parse($0) }
    }

    /// As `parse(_:)` of a span, for the text of a field value.
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
