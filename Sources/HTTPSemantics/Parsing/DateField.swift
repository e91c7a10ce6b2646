/// A field whose value is an HTTP-date (`Date`, `Expires`, `Last-Modified`): absent, present but no date, or a moment.
///
/// Invalid is told apart from absent, since an `Expires` that is no date, `0` for one, means already expired
/// (RFC 9111, section 5.3), and none at all leaves room for a heuristic.
public struct DateField: Hashable, Sendable {
    /// `Int64.min` is absent, `Int64.min + 1` is invalid, any other value the seconds since 1970.
    public var rawValue: Int64

    /// Wraps a raw value; see `rawValue`.
    @inlinable public init(rawValue: Int64) { self.rawValue = rawValue }

    /// The field is not there.
    @inlinable public static var absent: Self { Self(rawValue: .min) }
    /// The field is there, and is no HTTP-date.
    @inlinable public static var invalid: Self { Self(rawValue: .min + 1) }
    /// A moment, seconds since 1970.
    @inlinable public static func seconds(_ seconds: Int64) -> Self { Self(rawValue: max(seconds, .min + 2)) }

    /// Seconds since 1970, `nil` when absent or invalid.
    @inlinable public var seconds: Int64? { rawValue > .min + 1 ? rawValue : nil }
    /// The field is there, valid or not.
    @inlinable public var isPresent: Bool { rawValue != .min }
}

extension DateField {
    /// Reads the value of a field that is there.
    ///
    /// - Parameters:
    ///   - bytes: the field value without the whitespace around it.
    ///   - now: seconds since 1970; see `HTTPDate.parse(_:now:)`.
    public static func parse(_ bytes: RawSpan, now: Int64) -> DateField {
        bytes.withUnsafeBytes { parse($0, now: now) }
    }

    /// The first line named `name` in `fields`; later ones do not count.
    public init(_ fields: HTTPFields, _ name: HTTPFields.Name, now: Int64) {
        guard let line = fields.fields.first(where: { $0.name == name }) else {
            self = .absent
            return
        }
        self = withTrimmedFieldBytes(of: line.value) { Self.parse($0, now: now) }
    }

    @inline(__always)
    static func parse(_ bytes: UnsafeRawBufferPointer, now: Int64) -> DateField {
        HTTPDate.parse(bytes, now: now).map { DateField(rawValue: $0) } ?? .invalid
    }
}
