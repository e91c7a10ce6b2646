/// The request that goes to the origin.
package enum ForwardedRequest {
    /// The request as it is to be sent for a decision of `Reuse`.
    ///
    /// `reloadIgnoringLocalAndRemoteCacheData` adds `Cache-Control: no-cache` and `Pragma: no-cache`, so that no cache on
    /// the way answers. `reloadRevalidatingCacheData` adds `Cache-Control: max-age=0` where the application has no
    /// `Cache-Control` of its own, so that the confirmation is the origin's. Everything else goes as the application
    /// wrote it.
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
