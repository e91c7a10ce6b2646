/// The `If-Range` field (RFC 9110, section 13.1.5): the validator of the part that the client has already.
package enum IfRange: Hashable, Sendable {
    /// An entity tag; only a strong one can match.
    case entityTag(EntityTag)
    /// A date, seconds since 1970.
    case date(Int64)

    /// Reads a field value without the whitespace around it; `nil` when it is neither.
    ///
    /// - Parameters:
    ///   - bytes: the field value.
    ///   - now: seconds since 1970; see `HTTPDate.parse(_:now:)`.
    package static func parse(_ bytes: RawSpan, now: Int64) -> IfRange? {
        bytes.withUnsafeBytes { bytes in
            EntityTag.parse(bytes, 0..<bytes.count).map { .entityTag($0) }
                ?? HTTPDate.parse(bytes, now: now).map { .date($0) }
        }
    }
}
