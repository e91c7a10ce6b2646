/// The `Pragma` field, which a cache reads in a request without `Cache-Control` (RFC 9111, section 5.4).
package enum Pragma {
    /// Whether one of the directives is `no-cache`. Read as a `Cache-Control` value: the grammars are the same.
    package static func isNoCache(_ bytes: RawSpan) -> Bool {
        CacheControl.parse(bytes).directives.contains(.noCache)
    }

    /// Whether one of the `Pragma` lines in `fields` says `no-cache`.
    package static func isNoCache(_ fields: HTTPFields) -> Bool {
        fields.fields.contains { $0.name == "Pragma" && CacheControl.parse($0.value).directives.contains(.noCache) }
    }
}
