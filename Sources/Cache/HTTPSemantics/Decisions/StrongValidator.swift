/// The strong validator of a response, which is the same only for the same bytes (RFC 9110, section 8.8.1).
package enum StrongValidator {
    /// A strong `ETag`; without any `ETag`, a `Last-Modified` that is strong. The value as received.
    ///
    /// - Parameter now: when the response was received, seconds since 1970; gives two-digit years their century.
    package static func of(_ fields: HTTPFields, now: Int64) -> String? {
        if let tag = fields.firstValue("ETag") { return EntityTag.matchesStrongly(tag, tag) ? tag : nil }
        return lastModified(fields, now: now) == nil ? nil : fields.firstValue("Last-Modified")
    }

    /// `Last-Modified` in seconds since 1970, if it is strong: at least a minute older than `Date`.
    ///
    /// Two changes within a second have one `Last-Modified`; a minute between it and `Date` also covers clocks that
    /// differ (RFC 9110, section 8.8.2.2).
    static func lastModified(_ fields: HTTPFields, now: Int64) -> Int64? {
        guard let date = FieldDate(fields, "Date", now: now).seconds,
            let modified = FieldDate(fields, "Last-Modified", now: now).seconds,
            date.subtractingSaturated(modified) >= 60
        else { return nil }
        return modified
    }
}
