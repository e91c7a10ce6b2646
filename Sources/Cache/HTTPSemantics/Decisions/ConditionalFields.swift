/// The conditional fields by which the origin confirms a stored response (RFC 9111, section 4.3.1).
package enum ConditionalFields {
    /// `If-None-Match` with the stored `ETag`, and `If-Modified-Since` with the stored `Last-Modified`, as far as these are
    /// present.
    ///
    /// A validator goes back exactly as it was received, well-formed or not: the origin compares it with its own.
    ///
    /// - Parameter stored: the fields of the stored response.
    /// - Returns: no field if the stored response has no validator.
    package static func validating(_ stored: HTTPFields) -> [HTTPFields.Field] {
        var fields: [HTTPFields.Field] = []
        if let entityTag = stored.firstValue("ETag") {
            fields.append(.init(name: "If-None-Match", value: entityTag))
        }
        if let lastModified = stored.firstValue("Last-Modified") {
            fields.append(.init(name: "If-Modified-Since", value: lastModified))
        }
        return fields
    }
}
