/// The `Content-Length` field (RFC 9110, section 8.6): absent, present but unusable, or a number of bytes.
package struct ContentLength: Hashable, Sendable {
    /// -1 is absent, -2 is invalid, any other value the bytes.
    package var rawValue: Int64

    /// Wraps a raw value; see `rawValue`.
    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// The field is missing.
    package static var absent: Self { Self(rawValue: -1) }
    /// The field is present, but is not a length, or has several that differ.
    package static var invalid: Self { Self(rawValue: -2) }

    /// The bytes, `nil` when absent or invalid.
    package var bytes: Int64? { rawValue >= 0 ? rawValue : nil }

    /// Reads a value: decimal digits, or the same number several times with commas between, as a careless joining
    /// of repeated fields produces. A number of 2^63 - 1 or more is invalid.
    package static func parse(_ bytes: RawSpan) -> ContentLength {
        bytes.withUnsafeBytes { parse($0) }
    }

    static func parse(_ bytes: UnsafeRawBufferPointer) -> ContentLength {
        var result = absent
        var start = 0
        for place in 0...bytes.count where place == bytes.count || bytes[place] == UInt8(ascii: ",") {
            guard let value = clampedDecimal(bytes, trimmed(bytes, start..<place)), value < .max else { return invalid }
            result = result.joined(with: ContentLength(rawValue: value))
            start = place + 1
        }
        return result
    }

    /// This line joined with another one: the same length, or `invalid`.
    func joined(with other: ContentLength) -> ContentLength {
        self == .absent || self == other ? other : .invalid
    }
}
