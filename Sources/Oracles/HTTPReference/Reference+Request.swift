extension Reference {
    /// How a request wants its cache treated: the policies of `NSURLRequest`.
    package enum Policy: CaseIterable, Sendable {
        /// RFC 9111 decides.
        case protocolDecides
        /// To the origin; nothing stored is used.
        case reload
        /// To the origin, past every cache on the way.
        case reloadPastAllCaches
        /// What is stored, whatever its age, else the origin.
        case storedElseLoad
        /// What is stored, whatever its age, and never the origin.
        case storedOnly
        /// What is stored, once the origin has confirmed it.
        case revalidate
    }

    /// What a request says about the use of a cache (RFC 9111, section 5.2.1).
    package struct Request: Equatable, Sendable {
        /// GET or HEAD, which a stored response can answer (RFC 9110, section 9.2.3).
        package var isRead: Bool
        /// GET, whose response can be stored.
        package var isGet: Bool
        /// GET, HEAD, OPTIONS or TRACE (RFC 9110, section 9.2.1).
        package var isSafe: Bool
        /// How the application wants its cache treated.
        package var policy: Policy
        /// `Cache-Control`; with `no-cache` in it where `Pragma` says so and there is no `Cache-Control`
        /// (section 5.4), or where the field could not be read.
        package var cacheControl: CacheControl
        /// The application asks a question of its own (RFC 9110, section 13.1).
        package var isConditional: Bool
        /// It asks for a part (RFC 9110, section 14.2).
        package var hasRange: Bool

        /// Reads a request.
        package init(method: String, policy: Policy, fields: FieldBlock) {
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
            isConditional = [
                "if-none-match", "if-modified-since", "if-match", "if-unmodified-since", "if-range",
            ].contains { fields.value(of: $0) != nil }
            hasRange = fields.value(of: "range") != nil
        }

        /// The client has drawn a line of its own between what will do and what will not.
        var limitsAge: Bool {
            cacheControl.has("max-stale")
                || ["max-age", "min-fresh", "max-stale"].contains { cacheControl.number($0) != .absent }
        }
    }
}
