extension RequestFacts {
    /// The facts of a request, read from its method, URL and header fields in one pass. Allocates only for a
    /// `Cache-Control` or `Pragma` of several lines.
    ///
    /// `request` is borrowed: an initialiser would otherwise take it over, with a reference count for each string.
    ///
    /// - Parameter policy: the policy in force: the request's own, or else its session's.
    package init(_ request: borrowing HTTPRequest, policy: RequestPolicy = .useProtocolCachePolicy) {
        var hasCacheControl = false
        var hasPragma = false
        var conditions: Flags = []
        for field in request.headerFields.fields {
            // Every hit goes through here, and few fields of a request have these lengths.
            switch field.name.rawName.utf8.count {
            case 5: if field.name == "Range" { conditions.insert(.hasRange) }
            case 6: if field.name == "Pragma" { hasPragma = true }
            case 8: if field.name == "If-Match" { conditions.insert(.hasOriginCondition) }
            case 13:
                if field.name == "Cache-Control" { hasCacheControl = true }
                if field.name == "If-None-Match" { conditions.insert(.hasCacheCondition) }
            case 17: if field.name == "If-Modified-Since" { conditions.insert(.hasCacheCondition) }
            case 19: if field.name == "If-Unmodified-Since" { conditions.insert(.hasOriginCondition) }
            default: break
            }
        }
        if policy == .reloadRevalidatingCacheData, URLReference.isSecure(request.url) { conditions.insert(.isSecure) }
        self.init(
            method: MethodClass(request.method), policy: policy,
            cacheControl: hasCacheControl ? CacheControl(request.headerFields) : nil,
            pragmaNoCache: hasPragma && Pragma.isNoCache(request.headerFields), conditions: conditions)
    }
}

extension URLReference {
    /// Whether a URL's scheme is https, without splitting it.
    static func isSecure(_ url: String) -> Bool {
        let scheme = url.utf8.prefix(6)
        return scheme.count == 6 && zip(scheme, "https:".utf8).allSatisfy { $0 | 0x20 == $1 | 0x20 }
    }
}
