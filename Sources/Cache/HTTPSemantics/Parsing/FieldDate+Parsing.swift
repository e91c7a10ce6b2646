extension FieldDate {
    /// Reads the value of a `Date`, `Expires` or `Last-Modified` field that is there.
    ///
    /// - Parameters:
    ///   - bytes: the field value without the whitespace around it.
    ///   - now: seconds since 1970; see `HTTPDate.parse(_:now:)`.
    package static func parse(_ bytes: RawSpan, now: Int64) -> FieldDate {
        bytes.withUnsafeBytes { parse($0, now: now) }
    }

    /// The first line named `name` in `fields`; later ones do not count.
    package init(_ fields: HTTPFields, _ name: HTTPFields.Name, now: Int64) {
        guard let line = fields.fields.first(where: { $0.name == name }) else {
            self = .absent
            return
        }
        self = withTrimmedFieldBytes(of: line.value) { Self.parse($0, now: now) }
    }

    @inline(__always)
    static func parse(_ bytes: UnsafeRawBufferPointer, now: Int64) -> FieldDate {
        HTTPDate.parse(bytes, now: now).map { .at($0) } ?? .invalid
    }
}
