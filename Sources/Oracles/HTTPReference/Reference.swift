/// A second reading of RFC 9110 and RFC 9111, written for clarity. Tests and fuzzers compare the fast one with it.
///
/// Everything here follows the ABNF literally, one small function for each production, over an array of bytes. Nothing
/// is clever, and nothing is shared with the code it judges. If the RFC leaves a choice, it takes the safe reading: a
/// value that cannot be understood never makes a response fresher. All times are seconds since 1970-01-01T00:00:00Z,
/// and the clock is always an argument.
public enum Reference {}

extension Reference {
    /// The cache policy of a request, as in `NSURLRequest`.
    package enum Policy: CaseIterable, Sendable {
        /// RFC 9111 decides.
        case protocolDecides
        /// Asks the origin; the stored response is not used.
        case reload
        /// Asks the origin past every cache on the way.
        case reloadPastAllCaches
        /// The stored response, whatever its age; otherwise the origin.
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
        package var policy: Policy
        /// `Cache-Control`. `no-cache` is added if the field is unreadable, or if there is none and `Pragma` says so
        /// (section 5.4).
        package var cacheControl: CacheControl
        /// It has a condition that only an origin evaluates (RFC 9111, section 4.3.2).
        package var hasOriginCondition: Bool
        package var hasCacheCondition: Bool
        /// It is a GET for a part (RFC 9110, section 14.2).
        package var hasRange: Bool
        package var isSecure: Bool

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

        /// It limits the age of the answer.
        var limitsAge: Bool {
            cacheControl.has("max-stale")
                || ["max-age", "min-fresh", "max-stale"].contains { cacheControl.number($0) != .absent }
        }
    }
}

extension Reference {
    /// A response, as far as it concerns its own caching (RFC 9111, sections 3, 4.2 and 5).
    package struct Response: Equatable, Sendable {
        package enum Date: Equatable, Sendable {
            case absent
            case invalid
            case at(Int64)

            var moment: Int64? {
                if case .at(let seconds) = self { seconds } else { nil }
            }
        }

        package var status: Int
        /// `Cache-Control`, its lines joined.
        package var cacheControl: CacheControl
        /// `Date`, the first line.
        package var date: Date
        /// `Expires`, the first line.
        package var expires: Date
        /// `Last-Modified`, the first line.
        package var lastModified: Date
        /// `Age`; `nil` when absent or unreadable.
        package var age: Int64?
        /// Whether there is an `ETag` that is not empty, well-formed or not.
        package var hasEntityTag: Bool
        /// Whether there is a `Last-Modified` that is not empty, well-formed or not.
        package var hasLastModified: Bool
        package var vary: Vary?
        /// Whether there is a `Content-Range`, well-formed or not.
        package var hasContentRange: Bool

        /// Reads a response received at `responseTime`, seconds since 1970, which decides the century of two-digit
        /// years.
        package init(status: Int, fields: FieldBlock, responseTime: Int64) {
            func date(_ name: String) -> Date {
                guard let value = fields.first(name) else { return .absent }
                return HTTPDate.parse(value, now: responseTime).map { .at($0) } ?? .invalid
            }
            self.status = status
            cacheControl = fields.value(of: "cache-control").map { CacheControl(parsing: $0) } ?? CacheControl()
            self.date = date("date")
            expires = date("expires")
            lastModified = date("last-modified")
            age = fields.value(of: "age").flatMap { Reference.age($0) }
            hasEntityTag = fields.first("etag")?.isEmpty == false
            hasLastModified = fields.first("last-modified")?.isEmpty == false
            vary = fields.value(of: "vary").map { .parse($0) }
            hasContentRange = fields.first("content-range") != nil
        }

        /// Whether a directive forbids storing it. With `must-understand` that depends on its status (RFC 9111, section
        /// 5.2.2.3): a cache that knows this directive ignores the `no-store` sent for caches that do not.
        var forbidsStoring: Bool {
            if cacheControl.has("must-understand") { return !isUnderstood }
            return cacheControl.has("no-store")
        }

        /// Whether `max-age` or `Expires` is present, readable or not.
        package var hasExplicitLifetime: Bool { cacheControl.number("max-age") != .absent || expires != .absent }

        /// Whether its status is cacheable by definition (RFC 9110, section 15.1), without 206.
        var isHeuristicallyCacheable: Bool {
            [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501].contains(status)
        }

        var isUnderstood: Bool { isHeuristicallyCacheable || [302, 303, 307].contains(status) }

        /// It answers a condition or a range, which other requests do not have (RFC 9110, sections 15.5.13 and
        /// 15.5.17); or RFC 6585, sections 3 to 6, says of its status: "MUST NOT be stored by a cache".
        package var isOfOneRequest: Bool { [412, 416, 428, 429, 431, 511].contains(status) }

        /// Whether a private cache may store it (RFC 9111, section 3).
        package func isStorable(for request: Request, isComplete: Bool) -> Bool {
            // "the request method is understood by the cache": responses to other methods are not kept.
            guard request.isGet else { return false }
            // "the response status code is final": from 200 to 599. Only caches of parts store 206 and 304.
            guard status >= 200, status < 600, status != 206, status != 304, isComplete else { return false }
            // It is a part of something, whatever its status says.
            guard status != 200 || !hasContentRange else { return false }
            guard !isOfOneRequest else { return false }
            // "the no-store cache directive is not present", in the request or in the response.
            guard !request.cacheControl.has("no-store"), !forbidsStoring else { return false }
            // It could never be selected (section 4.1).
            if let vary, !vary.isReadable { return false }
            // "at least one of": public, private in a private cache, Expires, max-age, or a cacheable status.
            return cacheControl.has("public") || cacheControl.has("private") || hasExplicitLifetime
                || isHeuristicallyCacheable
        }
    }
}
