/// A `delta-seconds` value as a directive carries it: absent, present but unusable, or a number of seconds.
///
/// Invalid is told apart from absent, since a `max-age` that cannot be understood makes a response stale, and one that
/// is missing lets `Expires` speak. RFC 9111, section 1.2.2.
public struct DeltaSeconds: Hashable, Sendable {
    /// -1 is absent, -2 is invalid, any other value is the seconds.
    public var rawValue: Int64

    /// Wraps a raw value; see `rawValue`.
    @inlinable public init(rawValue: Int64) { self.rawValue = rawValue }

    /// The directive is not there.
    @inlinable public static var absent: Self { Self(rawValue: -1) }
    /// The directive is there, and its argument is not a number of seconds.
    @inlinable public static var invalid: Self { Self(rawValue: -2) }
    /// The largest value: what does not fit is clamped to it (RFC 9111 asks for 2^31 or more).
    @inlinable public static var maximum: Self { Self(rawValue: 1 << 31) }

    /// A value of `seconds`, at least 0, clamped to `maximum`.
    @inlinable
    public static func seconds(_ seconds: Int64) -> Self { Self(rawValue: min(max(seconds, 0), 1 << 31)) }

    /// The seconds, `nil` when absent or invalid.
    @inlinable public var seconds: Int64? { rawValue >= 0 ? rawValue : nil }
    /// The directive is there, valid or not.
    @inlinable public var isPresent: Bool { rawValue != -1 }
}
