import CacheTiers
import Testing

@Suite("Cache key") struct CacheKeyTests {
    static let hasher = KeyHasher(seed: KeySeed(1, 2))

    static func key(_ url: String, _ suffixes: (KeySuffix, String)...) throws -> CacheKey {
        var bytes = try CacheKey(url: url, hasher: hasher).bytes
        for (kind, value) in suffixes { kind.append(value.utf8, to: &bytes) }
        return CacheKey(canonical: bytes, hasher: hasher)
    }

    @Test("a version in the query, the scheme and the port make another key; a fragment does not")
    func whatCounts() throws {
        let key = try Self.key("http://example.com/a?v=1")
        #expect(try Self.key("http://example.com:80/a?v=1#top") == key)
        for other in [
            "http://example.com/a?v=2", "https://example.com/a?v=1", "http://example.com:81/a?v=1",
            "http://example.com/A?v=1", "http://example.com/a", "http://example.com/a?v=1&",
        ] {
            #expect(try Self.key(other) != key)
        }
    }

    @Test("variants differ from each other, from the URL alone and from any other URL") func variants() throws {
        let keys = [
            try Self.key("http://a/"), try Self.key("http://a/", (.hook, "")), try Self.key("http://a/", (.vary, "")),
            try Self.key("http://a/", (.hook, "x")), try Self.key("http://a/", (.vary, "x")),
            try Self.key("http://a/", (.hook, "x"), (.vary, "y")), try Self.key("http://a/", (.hook, "xy")),
            try Self.key("http://a/", (.vary, "x"), (.hook, "y")),
            // A value that spells the suffix it would have to be confused with.
            try Self.key("http://a/", (.hook, "x\u{0}\u{2}\u{0}\u{0}\u{0}\u{1}y")), try Self.key("http://a/x"),
        ]
        #expect(Set(keys.map(\.bytes)).count == keys.count)
        #expect(Set(keys.map(\.hash)).count == keys.count)
    }

    @Test("is the same from short and long strings, native or bridged slices") func strings() throws {
        let text = "http://example.com/some/longer/path?that=does&not=fit&into=fifteen&bytes=1"
        let bytes = Array(text.utf8)
        let fromBytes = try bytes.withUnsafeBytes { try CacheKey(url: $0, hasher: Self.hasher) }
        #expect(try CacheKey(url: text, hasher: Self.hasher) == fromBytes)
        #expect(try CacheKey(url: String(text.dropLast(0)), hasher: Self.hasher) == fromBytes)
    }
}
