package enum ForwardedRequest {
    /// The request to send for a decision of `Reuse`.
    ///
    /// `reloadIgnoringLocalAndRemoteCacheData` adds `no-cache` to `Cache-Control`, and `Pragma: no-cache`, so no cache
    /// on the way answers. `reloadRevalidatingCacheData` adds `Cache-Control: max-age=0` unless the application set a
    /// `Cache-Control`, so the origin itself confirms. A request with `Range` gets `Accept-Encoding: identity` unless
    /// the application set that field: a range counts bytes as sent, and a decoded body has other bytes. All other
    /// fields go out as the application wrote them.
    ///
    /// - Parameter stored: the fields of the stored response to confirm; `nil` unless the decision was `revalidate`.
    package static func make(_ request: HTTPRequest, policy: RequestPolicy, validating stored: HTTPFields?)
        -> HTTPRequest
    {
        var request = request
        if let stored {
            for field in ConditionalFields.validating(stored) { request.headerFields[field.name] = field.value }
        }
        if request.headerFields.contains("Range") { askForBytesAsSent(&request.headerFields) }
        switch policy {
        case .reloadIgnoringLocalAndRemoteCacheData:
            addNoCache(to: &request.headerFields)
            request.headerFields["Pragma"] = "no-cache"
        case .reloadRevalidatingCacheData where !request.headerFields.contains("Cache-Control"):
            request.headerFields["Cache-Control"] = "max-age=0"
        default:
            break
        }
        return request
    }

    /// Adds `no-cache` before the application's own directives: behind an unclosed quote it would be text.
    private static func addNoCache(to fields: inout HTTPFields) {
        guard !CacheControl(fields).directives.contains(.noCache) else { return }
        fields["Cache-Control"] = fields["Cache-Control"].map { "no-cache, \($0)" } ?? "no-cache"
    }

    /// Asks for an uncoded body, as a request for a part must, unless the application set the field.
    package static func askForBytesAsSent(_ fields: inout HTTPFields) {
        if !fields.contains("Accept-Encoding") { fields["Accept-Encoding"] = "identity" }
    }
}

/// The conditional fields that ask the origin to confirm a stored response (RFC 9111, section 4.3.1).
package enum ConditionalFields {
    /// `If-None-Match` with the stored `ETag`, and `If-Modified-Since` with the stored `Last-Modified`; empty if the
    /// stored response has neither.
    ///
    /// A validator goes back exactly as received, well-formed or not: the origin compares it with its own.
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
