import CacheTiers
import Testing

/// URLs are read in blocks of 16 bytes. What is unusual is found in every place of a block, and at its ends.
@Suite("Unusual bytes in every place of a URL") struct OddPlacesTests {
    private static let usual = Array("abcdefghijklmnopqrstuvwxyz0123456789-abcdefghijklm.example")

    /// A host of `count` usual bytes, with another text in the place of one of them.
    private static func host(_ place: Int, _ text: String) -> String {
        String(usual[..<place]) + text + String(usual[(place + 1)...])
    }

    @Test("a capital in a host becomes small, wherever it stands", arguments: 0..<48)
    func capital(place: Int) throws {
        for (letter, small) in [("A", "a"), ("M", "m"), ("Z", "z")] {
            for rest in ["", "/", "/a-path-of-more-than-sixteen-bytes", "?q", ":8080/x"] {
                let end = rest.hasPrefix("/") || rest.hasPrefix(":") ? rest : "/" + rest
                #expect(
                    try CanonicalURLTests.canonical("http://\(Self.host(place, letter))\(rest)")
                        == "http://\(Self.host(place, small))\(end)")
            }
        }
    }

    @Test("a byte that no host has is refused, wherever it stands", arguments: 0..<48)
    func refusedHost(place: Int) {
        for byte in ["<", ">", "\"", "{", "|", "^", "`", " ", "\\", "é"] {
            #expect(throws: URLRefusal.self, "\(byte)") {
                try CanonicalURLTests.canonical("http://\(Self.host(place, byte))/a-path-of-more-than-sixteen-bytes")
            }
        }
    }

    @Test(
        "a host, a port, a path and a query end where they end, at any length of what stands before", arguments: 1..<48)
    func ends(count: Int) throws {
        let text = String(Self.usual[..<count])
        let rest = "a-text-of-more-than-sixteen-bytes"
        for (url, canonical) in [
            ("http://\(text)/\(rest)", "http://\(text)/\(rest)"), ("http://\(text)?\(rest)", "http://\(text)/?\(rest)"),
            ("http://\(text)#\(rest)", "http://\(text)/"), ("http://\(text):80/\(rest)", "http://\(text)/\(rest)"),
            ("http://\(text):81/\(rest)", "http://\(text):81/\(rest)"),
            ("http://h/\(text)#\(rest)", "http://h/\(text)"), ("http://h/\(text)?\(rest)", "http://h/\(text)?\(rest)"),
            ("http://h/\(text)?\(text)#\(rest)", "http://h/\(text)?\(text)"),
            ("http://h/\(text)%2F\(rest)", "http://h/\(text)%2F\(rest)"),
            ("http://h/\(text)A\(rest)", "http://h/\(text)A\(rest)"),
        ] {
            #expect(try CanonicalURLTests.canonical(url) == canonical)
        }
    }
}
