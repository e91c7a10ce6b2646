extension Reference {
    /// The cache policy of a request, as in `NSURLRequest`.
    package enum Policy: CaseIterable, Sendable {
        /// RFC 9111 decides.
        case protocolDecides
        /// Asks the origin; the stored response is not used.
        case reload
        /// Asks the origin past every cache on the way.
        case reloadPastAllCaches
        /// The stored response, whatever its age, else the origin.
        case storedElseLoad
        /// The stored response, whatever its age, and never the origin.
        case storedOnly
        /// The stored response, once the origin has confirmed it.
        case revalidate
    }

    /// A request, as far as it concerns the use of a cache (RFC 9111, section 5.2.1).
    package struct Request: Equatable, Sendable {
        /// Whether the method is GET or HEAD, which a stored response can answer (RFC 9110, section 9.2.3).
        package var isRead: Bool
        /// Whether the method is GET, whose response can be stored.
        package var isGet: Bool
        /// Whether the method is GET, HEAD, OPTIONS or TRACE (RFC 9110, section 9.2.1).
        package var isSafe: Bool
        /// The cache policy of the application.
        package var policy: Policy
        /// `Cache-Control`, to which `no-cache` is added if `Pragma` says so and there is no `Cache-Control` (section
        /// 5.4), or if the field is unreadable.
        package var cacheControl: CacheControl
        /// It has a condition that only an origin evaluates (RFC 9111, section 4.3.2).
        package var hasOriginCondition: Bool
        /// It has a condition that a cache evaluates.
        package var hasCacheCondition: Bool
        /// It is a GET for a part (RFC 9110, section 14.2).
        package var hasRange: Bool
        /// Its URL is an https one.
        package var isSecure: Bool

        /// Reads a request.
        package init(method: String, policy: Policy, fields: FieldBlock, isSecure: Bool = false) {
            self.isSecure = isSecure
            isGet = method == "GET"
            isRead = isGet || method == "HEAD"
            isSafe = isRead || method == "OPTIONS" || method == "TRACE"
            self.policy = policy
            if let value = fields.value(of: "cache-control") {
                cacheControl = CacheControl(parsing: value)
                if cacheControl.malformed { cacheControl.flags.insert("no-cache") }
            } else {
                cacheControl = CacheControl()
                if fields.value(of: "pragma").map(pragmaSaysNoCache) == true { cacheControl.flags.insert("no-cache") }
            }
            hasOriginCondition = ["if-match", "if-unmodified-since"].contains { fields.value(of: $0) != nil }
            hasCacheCondition = ["if-none-match", "if-modified-since"].contains { fields.value(of: $0) != nil }
            hasRange = isGet && fields.value(of: "range") != nil
        }

        /// Its conditions and range select an answer.
        var selects: Bool { hasOriginCondition || hasCacheCondition || hasRange }

        /// It bounds the age of the answer.
        var limitsAge: Bool {
            cacheControl.has("max-stale")
                || ["max-age", "min-fresh", "max-stale"].contains { cacheControl.number($0) != .absent }
        }
    }
}
