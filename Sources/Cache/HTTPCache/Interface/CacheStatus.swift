/// How a cache has handled a request (RFC 9211).
package struct CacheStatus: Hashable, Sendable {
    /// Why a request went to the origin (RFC 9211, section 2.2).
    package enum Forward: String, Sendable {
        /// The cache does not handle such requests.
        case bypass
        /// The method is not answered from a store.
        case method
        /// Nothing is stored for the URL.
        case uriMiss = "uri-miss"
        /// What is stored for the URL answers other requests, by `Vary`.
        case varyMiss = "vary-miss"
        /// The request does not take what is stored.
        case request
        /// What is stored is stale.
        case stale
    }

    /// The request was answered without the origin.
    package var isHit = false
    /// Why it was not.
    package var forward: Forward?
    /// The status of the origin's answer.
    package var forwardStatus: Int?
    /// Seconds that the response stays fresh; negative where it is stale.
    package var timeToLive: Int64?
    /// The origin's answer is stored, provided that its body arrives.
    package var isStored = false
    /// The request waited for another one's answer.
    package var isCollapsed = false

    /// The member of a `Cache-Status` field for this cache.
    ///
    /// - Parameter name: the cache's name. Characters outside printable ASCII are left out.
    package func member(cacheName name: String) -> String {
        let quoted = name.unicodeScalars.filter { 0x20...0x7E ~= $0.value }
            .map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
        var text = "\"\(quoted)\""
        if isHit { text += "; hit" }
        if let forward { text += "; fwd=\(forward.rawValue)" }
        if let forwardStatus { text += "; fwd-status=\(forwardStatus)" }
        // A structured field's integer has 15 digits.
        if let timeToLive { text += "; ttl=\(min(max(timeToLive, -999_999_999_999_999), 999_999_999_999_999))" }
        if isStored { text += "; stored" }
        if isCollapsed { text += "; collapsed" }
        return text
    }
}
