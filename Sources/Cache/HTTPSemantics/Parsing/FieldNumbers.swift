/// A directive's `delta-seconds`: absent, present but unusable, or a number of seconds.
///
/// Invalid differs from absent: a `max-age` that cannot be understood makes a response stale, but without one `Expires`
/// counts. RFC 9111, section 1.2.2.
public struct DeltaSeconds: Hashable, Sendable {
    /// The seconds, at most 2^31; all ones means absent, one less invalid. Only four bytes, because six of these make
    /// up most of a `CacheControl`, which is copied a lot.
    @usableFromInline var bits: UInt32

    @inlinable
    init(bits: UInt32) { self.bits = bits }

    /// Wraps a raw value; see `rawValue`. Below -2 is invalid, above 2^31 is clamped to that.
    @inlinable
    public init(rawValue: Int64) {
        bits = rawValue >= 0 ? UInt32(min(rawValue, 1 << 31)) : rawValue == -1 ? .max : .max - 1
    }

    /// -1 is absent, -2 is invalid, any other value is the seconds.
    @inlinable public var rawValue: Int64 { bits < .max - 1 ? Int64(bits) : Int64(Int32(bitPattern: bits)) }

    /// The directive is not there.
    @inlinable public static var absent: Self { Self(bits: .max) }
    /// The directive is there, but its argument is not a number of seconds.
    @inlinable public static var invalid: Self { Self(bits: .max - 1) }
    /// The largest value, to which larger ones are clamped (RFC 9111 requires 2^31 or more).
    @inlinable public static var maximum: Self { Self(bits: 1 << 31) }

    /// A value of `seconds`, at least 0, clamped to `maximum`.
    @inlinable
    public static func seconds(_ seconds: Int64) -> Self { Self(bits: UInt32(min(max(seconds, 0), 1 << 31))) }

    /// The seconds, `nil` when absent or invalid.
    @inlinable public var seconds: Int64? { bits < .max - 1 ? Int64(bits) : nil }
    /// Whether the directive is there, valid or not.
    @inlinable public var isPresent: Bool { bits != .max }
}

/// The `Age` field: seconds since the origin made or confirmed the response (RFC 9111, section 5.1).
package enum Age {
    /// The first member of the value, which should have only one: decimal digits, clamped to 2^31 seconds. Anything
    /// else is `DeltaSeconds.invalid`, which a cache ignores.
    package static func parse(_ bytes: RawSpan) -> DeltaSeconds {
        bytes.withUnsafeBytes { parse($0) }
    }

    /// The first member of all `Age` lines in `fields`.
    package static func parse(_ fields: HTTPFields) -> DeltaSeconds {
        fields["Age"].map { withFieldBytes(of: $0) { parse($0) } } ?? .absent
    }

    static func parse(_ bytes: UnsafeRawBufferPointer) -> DeltaSeconds {
        var place = 0
        guard let first = nextListMember(bytes, from: &place) else { return .invalid }
        return clampedDecimal(bytes, first).map { .seconds($0) } ?? .invalid
    }
}

/// The `Content-Length` field (RFC 9110, section 8.6): absent, present but unusable, or a number of bytes.
package struct ContentLength: Hashable, Sendable {
    /// -1 is absent, -2 is invalid, any other value is the bytes.
    package var rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }

    package static var absent: Self { Self(rawValue: -1) }
    /// The field is present, but is not a length, or has several different ones.
    package static var invalid: Self { Self(rawValue: -2) }

    package var bytes: Int64? { rawValue >= 0 ? rawValue : nil }

    /// Reads a value: decimal digits, or the same number several times with commas between, which careless joining of
    /// repeated fields produces. A number of 2^63 - 1 or more is invalid.
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

    /// This line joined with another: the same length, or `invalid`.
    func joined(with other: ContentLength) -> ContentLength {
        self == .absent || self == other ? other : .invalid
    }
}
