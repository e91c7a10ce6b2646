import HTTPAgreement
import HTTPSemantics

extension FuzzTarget {
    /// The input is a `Cache-Control` field.
    ///
    /// Oracle: the reference reads the same, as `Cache-Control` and as `Pragma`. Case, whitespace around members, empty
    /// members, and splitting the field into lines change nothing. Directives read, written and read again stay the
    /// same. A `no-store` in front is always found. Reading is linear in the length.
    static let cacheControl = FuzzTarget("cache_control") { buffer in
        let bytes = [UInt8](buffer)
        require(.cacheControl(bytes))
        require(.pragma(bytes))
        let value = requireLinear(bytes.count, rate: 40, "Cache-Control") { meaning(of: bytes) }
        require(
            value.maxAge.rawValue <= DeltaSeconds.maximum.rawValue,
            "\(bytes.quoted) is \(value.maxAge), beyond the maximum")
        require(meaning(of: bytes.uppercased) == value, "\(bytes.quoted) depends on case")
        require(meaning(of: bytes.lowercased) == value, "\(bytes.quoted) depends on case")
        require(
            meaning(of: [0x09, 0x20, 0x2C] + bytes) == value, "\(bytes.quoted) depends on an empty member in front")

        var restricted = value
        restricted.directives.insert(.noStore)
        require(
            meaning(of: Array("no-store,".utf8) + bytes) == restricted, "\(bytes.quoted) hides a no-store before it")

        let text = Array(value.text.utf8)
        require(meaning(of: text) == value, "\(bytes.quoted) is read back from \(text.quoted) as something else")
        guard !value.directives.contains(.malformed) else { return }
        require(meaning(of: bytes + [0x20, 0x2C, 0x09]) == value, "\(bytes.quoted) depends on an empty member behind")
        require(
            meaning(of: bytes + Array(" ,\tno-store".utf8)) == restricted, "\(bytes.quoted) hides a no-store after it")
        require(
            meaning(of: spread(bytes)) == value, "\(bytes.quoted) depends on the whitespace around its commas")
    }

    /// The directives without the positions of field lists, which move with the text.
    private static func meaning(of bytes: [UInt8]) -> CacheControl {
        var value = CacheControl.parse(ContiguousArray(bytes).span.bytes)
        value.noCacheFields = CacheControl.FieldList()
        value.privateFields = CacheControl.FieldList()
        return value
    }

    /// The bytes with whitespace on both sides of every comma outside quotes.
    private static func spread(_ bytes: [UInt8]) -> [UInt8] {
        var spread: [UInt8] = []
        var isQuoted = false
        var isEscaped = false
        for byte in bytes {
            if byte == 0x2C && !isQuoted {
                spread += [0x20, 0x2C, 0x09]
            } else {
                spread.append(byte)
            }
            if isEscaped {
                isEscaped = false
            } else if byte == 0x22 {
                isQuoted.toggle()
            } else if byte == 0x5C && isQuoted {
                isEscaped = true
            }
        }
        return spread
    }
}

extension CacheControl {
    /// A field with the same meaning.
    fileprivate var text: String {
        var members: [String] = []
        for (directive, name) in Self.names where directives.contains(directive) { members.append(name) }
        for (seconds, name) in [
            (maxAge, "max-age"), (sharedMaxAge, "s-maxage"), (staleWhileRevalidate, "stale-while-revalidate"),
            (staleIfError, "stale-if-error"), (minFresh, "min-fresh"), (maxStale, "max-stale"),
        ] where seconds.isPresent {
            members.append("\(name)=\(seconds.seconds.map { "\($0)" } ?? "?")")
        }
        // Last, because the open quote swallows everything after it.
        if directives.contains(.malformed) { members.append("x=\"") }
        return members.joined(separator: ", ")
    }

    private static let names: [(Directives, String)] = [
        (.noStore, "no-store"), (.noCache, "no-cache"), (.mustRevalidate, "must-revalidate"),
        (.proxyRevalidate, "proxy-revalidate"), (.public, "public"), (.private, "private"), (.immutable, "immutable"),
        (.mustUnderstand, "must-understand"), (.noTransform, "no-transform"), (.onlyIfCached, "only-if-cached"),
        (.anyStale, "max-stale"),
    ]
}
