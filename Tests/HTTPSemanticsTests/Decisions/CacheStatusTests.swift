import HTTPSemantics
import Testing

/// The text of `Cache-Status` (RFC 9211).
@Suite struct CacheStatusTests {
    @Test("a hit says how long it stays fresh, negative if it is stale") func hits() {
        #expect(CacheStatus(timeToLive: 376).member(cacheName: "CacheGauge") == "\"CacheGauge\"; hit; ttl=376")
        #expect(CacheStatus(timeToLive: -12).member(cacheName: "CacheGauge") == "\"CacheGauge\"; hit; ttl=-12")
        #expect(CacheStatus(timeToLive: .min).member(cacheName: "C") == "\"C\"; hit; ttl=-999999999999999")
        #expect(CacheStatus.unanswered.member(cacheName: "C") == "\"C\"")
    }

    @Test("an answer of the origin says why it was asked, what it answered, and whether that is stored")
    func forwarding() {
        var status = CacheStatus(.stale)
        status.forwardedStatus = 304
        status.timeToLive = 60
        status.isStored = true
        status.isCollapsed = true
        #expect(status.member(cacheName: "C") == "\"C\"; fwd=stale; fwd-status=304; ttl=60; stored; collapsed")
    }

    @Test(
        "the reasons have the names of RFC 9211, section 2.2",
        arguments: [
            (.bypass, "bypass"), (.method, "method"), (.request, "request"), (.stale, "stale"), (.partial, "partial"),
            (.varyMiss, "vary-miss"), (.uriMiss, "uri-miss"),
        ] as [(CacheStatus.Forward, String)])
    func reasons(forward: CacheStatus.Forward, name: String) {
        #expect(CacheStatus(forward).member(cacheName: "C") == "\"C\"; fwd=\(name)")
    }

    @Test("the name is a string of printable ASCII with its quotes escaped") func names() {
        #expect(
            CacheStatus.unanswered.member(cacheName: "my \"cache\"\\\n\u{7F}\u{E9}~ ") == "\"my \\\"cache\\\"\\\\~ \"")
    }
}
