/// How a cache handled a request, as in the `Cache-Status` field (RFC 9211).
package struct CacheStatus: Equatable, Sendable {
    /// Why a request went to the origin (RFC 9211, section 2.2).
    package enum Forward: String, Sendable {
        /// The cache does not handle the request, e.g. because of its URL.
        case bypass
        case method
        case uriMiss = "uri-miss"
        /// Responses are stored for the URL, but none matches in the fields that `Vary` names.
        case varyMiss = "vary-miss"
        /// A fresh response is stored, but the request or its policy does not accept it.
        case request
        /// The stored response is stale or must be confirmed.
        case stale
        /// Parts are stored, but not all bytes that the request asks for.
        case partial
    }

    /// The answer is from the store; the origin was not asked.
    package private(set) var isHit = false
    /// Why the request went to the origin; `nil` if it did not.
    package var forward: Forward?
    /// The status of the origin's answer; `nil` without an answer.
    package var forwardedStatus: Int?
    /// The origin's answer is stored, as far as its header tells.
    package var isStored = false
    package var isCollapsed = false
    /// How many seconds a response from the store stays fresh, negative if it is stale; `nil` for other answers.
    package var timeToLive: Int64?

    private init() {}

    /// An answer of the cache itself, from neither the store nor the origin.
    package static let unanswered = CacheStatus()

    package init(timeToLive: Int64) {
        isHit = true
        self.timeToLive = timeToLive
    }

    package init(_ forward: Forward) { self.forward = forward }

    /// The member of a `Cache-Status` field, e.g. `"CacheGauge"; hit; ttl=376`.
    ///
    /// - Parameter name: the name of the cache. Characters outside printable ASCII are left out.
    package func member(cacheName name: String) -> String {
        var text = "\"\(Self.escaped(name))\""
        if isHit { text += "; hit" }
        if let forward { text += "; fwd=\(forward.rawValue)" }
        if let forwardedStatus { text += "; fwd-status=\(forwardedStatus)" }
        if let timeToLive { text += "; ttl=\(min(max(timeToLive, -Self.largest), Self.largest))" }
        if isStored { text += "; stored" }
        if isCollapsed { text += "; collapsed" }
        return text
    }

    /// The largest integer of a structured field, 15 digits (RFC 9651, section 3.3.1).
    private static let largest: Int64 = 999_999_999_999_999

    /// The text inside a structured field's quoted string (RFC 9651, section 3.3.3).
    private static func escaped(_ name: String) -> String {
        name.unicodeScalars.filter { 0x20...0x7E ~= $0.value }
            .map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
    }
}
