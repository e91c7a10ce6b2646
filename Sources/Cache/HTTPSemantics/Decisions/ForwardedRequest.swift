/// The request that goes to the origin.
package enum ForwardedRequest {
    /// The request as it is to be sent for a decision of `Reuse`.
    ///
    /// `reloadIgnoringLocalAndRemoteCacheData` adds `Cache-Control: no-cache` and `Pragma: no-cache`, so that no cache on
    /// the way answers. `reloadRevalidatingCacheData` adds `Cache-Control: max-age=0` where the application has no
    /// `Cache-Control`, so that the origin itself confirms. A request with `Range` gets `Accept-Encoding: identity` unless
    /// the application has set that field: a range counts the bytes of the representation as it is sent, and those of a
    /// decoded body are others. All other fields are sent as the application wrote them.
    ///
    /// - Parameters:
    ///   - request: the application's request.
    ///   - policy: the policy in force.
    ///   - stored: the fields of the stored response that is to be confirmed; `nil` unless the decision was `revalidate`.
    package static func make(_ request: HTTPRequest, policy: RequestPolicy, validating stored: HTTPFields?)
        -> HTTPRequest
    {
        var request = request
        if let stored {
            for field in ConditionalFields.validating(stored) { request.headerFields[field.name] = field.value }
        }
        if request.headerFields.contains("Range"), !request.headerFields.contains("Accept-Encoding") {
            request.headerFields["Accept-Encoding"] = "identity"
        }
        switch policy {
        case .reloadIgnoringLocalAndRemoteCacheData:
            request.headerFields["Cache-Control"] = "no-cache"
            request.headerFields["Pragma"] = "no-cache"
        case .reloadRevalidatingCacheData where !request.headerFields.contains("Cache-Control"):
            request.headerFields["Cache-Control"] = "max-age=0"
        default:
            break
        }
        return request
    }
}

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
