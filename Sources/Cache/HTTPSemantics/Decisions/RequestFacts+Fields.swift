extension RequestFacts {
    /// The facts of a request, read from its method and header fields in one pass; nothing is allocated unless there is a
    /// `Cache-Control`.
    ///
    /// `request` is borrowed since an initialiser would otherwise take it over, at a reference count for each string.
    ///
    /// - Parameter policy: the policy in force: the request's own, or else its session's.
    package init(_ request: borrowing HTTPRequest, policy: RequestPolicy = .useProtocolCachePolicy) {
        var hasCacheControl = false
        var hasPragma = false
        var isConditional = false
        var hasRange = false
        for field in request.headerFields.fields {
            // Every hit goes through here, and few fields of a request are of these lengths.
            switch field.name.rawName.utf8.count {
            case 5: if field.name == "Range" { hasRange = true }
            case 6: if field.name == "Pragma" { hasPragma = true }
            case 8: if field.name == "If-Match" || field.name == "If-Range" { isConditional = true }
            case 13:
                if field.name == "Cache-Control" { hasCacheControl = true }
                if field.name == "If-None-Match" { isConditional = true }
            case 17: if field.name == "If-Modified-Since" { isConditional = true }
            case 19: if field.name == "If-Unmodified-Since" { isConditional = true }
            default: break
            }
        }
        self.init(
            method: MethodClass(request.method), policy: policy,
            cacheControl: hasCacheControl ? CacheControl(request.headerFields) : nil,
            pragmaNoCache: hasPragma && Pragma.isNoCache(request.headerFields), isConditional: isConditional,
            hasRange: hasRange)
    }
}
