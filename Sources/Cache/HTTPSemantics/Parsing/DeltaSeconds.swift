/// A `delta-seconds` value as a directive carries it: absent, present but unusable, or a number of seconds.
///
/// Invalid is told apart from absent, since a `max-age` that cannot be understood makes a response stale, and one that
/// is missing lets `Expires` speak. RFC 9111, section 1.2.2.
public struct DeltaSeconds: Hashable, Sendable {
    /// The seconds, at most 2^31; all ones is absent, one less invalid. Four bytes, since six of these make up most of a
    /// `CacheControl`, which is copied wherever it goes.
    @usableFromInline var bits: UInt32

    @inlinable
    init(bits: UInt32) { self.bits = bits }

    /// Wraps a raw value; see `rawValue`. One below -2 is invalid, one above 2^31 is clamped to that.
    @inlinable
    public init(rawValue: Int64) {
        bits = rawValue >= 0 ? UInt32(min(rawValue, 1 << 31)) : rawValue == -1 ? .max : .max - 1
    }

    /// -1 is absent, -2 is invalid, any other value is the seconds.
    @inlinable public var rawValue: Int64 { bits < .max - 1 ? Int64(bits) : Int64(Int32(bitPattern: bits)) }

    /// The directive is not there.
    @inlinable public static var absent: Self { Self(bits: .max) }
    /// The directive is there, and its argument is not a number of seconds.
    @inlinable public static var invalid: Self { Self(bits: .max - 1) }
    /// The largest value, to which larger ones are clamped (RFC 9111 requires 2^31 or more).
    @inlinable public static var maximum: Self { Self(bits: 1 << 31) }

    /// A value of `seconds`, at least 0, clamped to `maximum`.
    @inlinable
    public static func seconds(_ seconds: Int64) -> Self { Self(bits: UInt32(min(max(seconds, 0), 1 << 31))) }

    /// The seconds, `nil` when absent or invalid.
    @inlinable public var seconds: Int64? { bits < .max - 1 ? Int64(bits) : nil }
    /// The directive is there, valid or not.
    @inlinable public var isPresent: Bool { bits != .max }
}
