/// The status of a response and the values of its fields, on which storability and freshness depend.
package struct ResponseValues: Hashable, Sendable {
    /// The three-digit status code.
    package var status: Int
    /// The values of its fields.
    package var fields: ResponseFieldValues

    /// A response whose fields were read already.
    package init(status: Int, fields: ResponseFieldValues) {
        self.status = status
        self.fields = fields
    }

    /// Reads a response.
    ///
    /// - Parameter responseTime: when it was received, seconds since 1970; gives two-digit years their century.
    package init(_ response: HTTPResponse, responseTime: Int64) {
        self.init(
            status: response.status, fields: ResponseFieldValues(response.headerFields, now: responseTime))
    }

    /// The response states its own lifetime, readable or not (RFC 9111, section 4.2.1).
    ///
    /// `s-maxage` is for shared caches alone.
    package var hasExplicitLifetime: Bool { fields.cacheControl.maxAge.isPresent || fields.expires != .absent }

    /// There is an `ETag` to send back, well-formed or not.
    var hasEntityTag: Bool { fields.places.entityTag.count > 0 }

    /// There is a `Last-Modified` to send back, a date or not.
    var hasLastModified: Bool { fields.places.lastModified.count > 0 }
}
