import GaugeSupport

/// The id of the object that a URL names: the same for all spellings that caches treat as one key (RFC 3986, 6.2.2.1
/// and 6.2.3), i.e. scheme and host in any case, a default port or none, an empty path or `/`, any fragment. Otherwise
/// a replay would see one object's body as the answer for another.
enum URLIdentity {
    /// A hash; of the plain text, if that's no URL with a host.
    static func hash(of url: some Collection<UInt8>) -> UInt64 {
        let hash = url.withContiguousStorageIfAvailable { isNormal($0) ? DecimalText.hash($0) : nil }
        return hash.flatMap(\.self) ?? DecimalText.hash(normalized(Array(url)))
    }

    private static let slash = UInt8(ascii: "/")
    private static let colon = UInt8(ascii: ":")

    /// Whether the URL is normal already, as nearly all are: lower case up to a host without a port, then a path, and
    /// no fragment.
    private static func isNormal(_ url: UnsafeBufferPointer<UInt8>) -> Bool {
        var slashes = 0
        var place = 0
        while place < url.count, slashes < 3 {
            switch url[place] {
            case slash: slashes += 1
            case UInt8(ascii: "#"), UInt8(ascii: "?"), UInt8(ascii: "A")...UInt8(ascii: "Z"): return false
            case colon where slashes > 0: return false
            default: break
            }
            place += 1
        }
        return slashes > 2 && !url[place...].contains(UInt8(ascii: "#"))
    }

    private static func normalized(_ url: [UInt8]) -> [UInt8] {
        let url = url.prefix { $0 != UInt8(ascii: "#") }
        guard let mark = url.firstIndex(of: colon), url[(mark + 1)...].starts(with: [slash, slash]) else {
            return Array(url)
        }
        let scheme = lowercased(url[..<mark])
        let rest = url[(mark + 3)...]
        let end = rest.firstIndex { $0 == slash || $0 == UInt8(ascii: "?") } ?? rest.endIndex
        let path = rest[end...]
        let root: [UInt8] = path.first == slash ? [] : [slash]
        return scheme + [colon, slash, slash] + host(lowercased(rest[..<end]), scheme) + root + path
    }

    /// The host, with its port unless that's the scheme's default.
    private static func host(_ authority: [UInt8], _ scheme: [UInt8]) -> [UInt8] {
        guard let mark = authority.lastIndex(of: colon) else { return authority }
        let digits = authority[(mark + 1)...]
        // The colon of an IPv6 address stands before its bracket.
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return authority }
        let port = digits.drop { $0 == UInt8(ascii: "0") }
        let standard = scheme.elementsEqual("https".utf8) ? "443" : scheme.elementsEqual("http".utf8) ? "80" : ""
        let isStandard = digits.isEmpty || port.elementsEqual(standard.utf8)
        return authority[..<mark] + (isStandard ? [] : [colon] + port)
    }

    private static func lowercased(_ text: ArraySlice<UInt8>) -> [UInt8] {
        text.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }
}
