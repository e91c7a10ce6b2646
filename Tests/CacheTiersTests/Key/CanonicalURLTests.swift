import CacheTiers
import Testing

@Suite("Canonical URL") struct CanonicalURLTests {
    static let hasher = KeyHasher(seed: KeySeed(1, 2))

    static func canonical(_ text: String) throws(URLRefusal) -> String {
        String(decoding: try CacheKey(url: text, hasher: hasher).bytes, as: UTF8.self)
    }

    @Test("keeps a port of any length", arguments: [1, 9, 10, 11, 99, 100, 999, 1000, 9_999, 10_000, 65_535])
    func ports(number: Int) throws {
        #expect(try Self.canonical("http://a:\(number)/b") == "http://a:\(number)/b")
        #expect(try Self.canonical("http://a:0\(number)/b") == "http://a:\(number)/b")
        #expect(try Self.canonical("HTTP://A:\(number)") == "http://a:\(number)/")
    }

    @Test(
        "is the key",
        arguments: [
            ("http://example.com/", "http://example.com/"),
            ("https://example.com/a?b=c", "https://example.com/a?b=c"),
            // Scheme and host in lower case, path and query as sent.
            ("HTTP://EXAMPLE.com/A?B=C", "http://example.com/A?B=C"),
            ("hTtPs://eXample.Com/A", "https://example.com/A"),
            // The default port, an empty one and leading zeros.
            ("http://example.com:80/", "http://example.com/"),
            ("https://example.com:443/", "https://example.com/"),
            ("http://example.com:/", "http://example.com/"),
            ("http://example.com:00080/", "http://example.com/"),
            ("http://example.com:443/", "http://example.com:443/"),
            ("https://example.com:80/", "https://example.com:80/"),
            ("http://example.com:08080/x", "http://example.com:8080/x"),
            ("http://example.com:65535", "http://example.com:65535/"),
            ("http://example.com:0/", "http://example.com:0/"),
            ("http://example.com:007/", "http://example.com:7/"),
            // An empty path is `/`.
            ("http://example.com", "http://example.com/"),
            ("http://example.com?q", "http://example.com/?q"),
            ("http://example.com?", "http://example.com/?"),
            ("http://example.com:80?q", "http://example.com/?q"),
            // The fragment goes.
            ("http://example.com/a#b", "http://example.com/a"),
            ("http://example.com#b", "http://example.com/"),
            ("http://example.com/a?b#c?d/e", "http://example.com/a?b"),
            (
                "http://example.com/a-long-path-of-many-bytes#and-a-long-fragment-of-many-bytes",
                "http://example.com/a-long-path-of-many-bytes"
            ),
            // Percent-encoding, dot segments and double slashes stay.
            ("http://example.com/a%2Fb", "http://example.com/a%2Fb"),
            ("http://example.com/a%2fb%7E", "http://example.com/a%2fb%7E"),
            ("http://example.com/a/../b//c/.", "http://example.com/a/../b//c/."),
            ("http://example.com/fifteen-bytes-%41%42%43", "http://example.com/fifteen-bytes-%41%42%43"),
            ("http://example.com/!$&'()*+,;=-._~:@/?", "http://example.com/!$&'()*+,;=-._~:@/?"),
            ("http://example.com/?!$&'()*+,;=-._~:@/?", "http://example.com/?!$&'()*+,;=-._~:@/?"),
            ("http://example.com/i?my_current_version=v1.0.0", "http://example.com/i?my_current_version=v1.0.0"),
            // Hosts.
            ("http://example.com./", "http://example.com./"),
            ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/"),
            ("http://[::1]/", "http://[::1]/"),
            ("http://[2001:DB8::A]:80/", "http://[2001:db8::a]/"),
            ("http://[::ffff:192.0.2.1]:8080/", "http://[::ffff:192.0.2.1]:8080/"),
            ("http://[1:2:3:4:5:6:7:8]/", "http://[1:2:3:4:5:6:7:8]/"),
            ("http://[1:2:3:4:5:6:7::]/", "http://[1:2:3:4:5:6:7::]/"),
            ("http://[v1.A:b]/", "http://[v1.a:b]/"),
            ("http://under_score.example/", "http://under_score.example/"),
        ])
    func accepted(text: String, key: String) throws {
        #expect(try Self.canonical(text) == key)
        #expect(try Self.canonical(key) == key)
    }

    @Test(
        "refuses a text that is not an http or https URL, or may be read in two ways, and says why and where",
        arguments: [
            ("", .notAbsolute, 0), ("/a/b", .notAbsolute, 0), ("//example.com/", .notAbsolute, 0),
            ("example.com/", .notAbsolute, 0), ("://example.com/", .notAbsolute, 0), (" http://a/", .notAbsolute, 0),
            ("1http://a/", .notAbsolute, 0), ("http", .notAbsolute, 0), ("ht tp://a/", .notAbsolute, 0),
            ("ftp://example.com/", .unsupportedScheme, 0), ("file:///etc/passwd", .unsupportedScheme, 0),
            ("httpss://a/", .unsupportedScheme, 0), ("data:,x", .unsupportedScheme, 0),
            ("localhost:8080/", .unsupportedScheme, 0),
            ("http:/a", .noAuthority, 5), ("http:a", .noAuthority, 5), ("HTTPS:", .noAuthority, 6),
            ("http:\\\\a\\", .noAuthority, 5),
            ("http://user@example.com/", .userInfo, 11), ("http://user:pw@example.com/", .userInfo, 14),
            ("http://:pw@example.com/", .userInfo, 10), ("http://@example.com/", .userInfo, 7),
            ("http://1:80@example.com/", .userInfo, 11), ("http://u%20@example.com/", .userInfo, 11),
            ("http://good.example\\@evil.example/", .userInfo, 20),
            ("http:///a", .emptyHost, 7), ("http://", .emptyHost, 7), ("http://:80/", .emptyHost, 7),
            ("http://?q", .emptyHost, 7), ("http://#f", .emptyHost, 7),
            ("http://ex%61mple.com/", .invalidHost, 9), ("http://exa mple.com/", .invalidHost, 10),
            ("http://b\u{FC}cher.example/", .invalidHost, 8), ("http://evil.example\\.good.example/", .invalidHost, 19),
            ("http://a\u{0}b/", .invalidHost, 8), ("http://a]/", .invalidHost, 8),
            ("http://[::1/", .invalidHost, 7), ("http://[]/", .invalidHost, 7), ("http://[:::]/", .invalidHost, 7),
            ("http://[1::2::3]/", .invalidHost, 7), ("http://[1:2:3]/", .invalidHost, 7),
            ("http://[1:2:3:4:5:6:7:8:9]/", .invalidHost, 7), ("http://[::12345]/", .invalidHost, 7),
            ("http://[::1%25eth0]/", .invalidHost, 7), ("http://[::1]x/", .invalidHost, 7),
            ("http://[::256.0.0.1]/", .invalidHost, 7), ("http://[v.a]/", .invalidHost, 7),
            ("http://[1:2:3:4:5:6:7:8::]/", .invalidHost, 7), ("http://[::1.2.3.4:5]/", .invalidHost, 7),
            ("http://[1:]/", .invalidHost, 7), ("http://[:1]/", .invalidHost, 7),
            ("http://a:65536/", .invalidPort, 13), ("http://a:8o/", .invalidPort, 10),
            ("http://a:-1/", .invalidPort, 9),
            // An `@` behind the authority is no end of a user's name.
            ("http://a:8o/@", .invalidPort, 10), ("http://a:8o?@", .invalidPort, 10),
            ("http://a:8o#@", .invalidPort, 10),
            ("http://a:1:2/", .invalidPort, 10), ("http://a:99999999999999999999/", .invalidPort, 13),
            ("http://a/b c", .invalidByte, 10), ("http://a/\u{7F}", .invalidByte, 9), ("http://a/\n", .invalidByte, 9),
            ("http://a/\u{0}", .invalidByte, 9), ("http://a/\u{E9}", .invalidByte, 9), ("http://a/\\", .invalidByte, 9),
            ("http://a/?x[]=1", .invalidByte, 11), ("http://a/{x}", .invalidByte, 9),
            ("http://a/#b#c", .invalidByte, 11),
            ("http://a/long-enough-for-a-block-of-sixteen<", .invalidByte, 43),
            ("http://a/#\u{1}", .invalidByte, 10), ("http://a/b ", .invalidByte, 10),
            ("http://a/%", .invalidPercentEncoding, 9), ("http://a/%4", .invalidPercentEncoding, 9),
            ("http://a/%4g", .invalidPercentEncoding, 9), ("http://a/%%41", .invalidPercentEncoding, 9),
            ("http://a/long-enough-for-blocks%2", .invalidPercentEncoding, 31),
        ] as [(String, URLRefusal.Reason, Int)])
    func refused(text: String, reason: URLRefusal.Reason, offset: Int) {
        let refusal = #expect(throws: URLRefusal.self) { try Self.canonical(text) }
        #expect(refusal == URLRefusal(reason, at: offset))
        #expect(refusal?.description.isEmpty == false)
    }

    @Test("takes every byte that RFC 3986 allows in a path or query, at every place of a block, and no other")
    func everyByte() {
        let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@/?".utf8)
        for byte in UInt8.min...UInt8.max where byte != UInt8(ascii: "#") {
            for place in 0..<18 {
                var text = Array("http://a/".utf8) + Array(repeating: UInt8(ascii: "x"), count: 18)
                text[9 + place] = byte
                let isTaken = text.withUnsafeBytes { (try? CanonicalURL.withBytes(of: $0) { _ in true }) ?? false }
                #expect(isTaken == allowed.contains(byte), "byte \(byte) at \(place)")
            }
        }
    }

    @Test("takes 65,535 bytes and not one more") func longest() throws {
        let text = "http://a/" + String(repeating: "x", count: CanonicalURL.longest - 9)
        #expect(try Self.canonical(text) == text)
        #expect(throws: URLRefusal(.tooLong, at: CanonicalURL.longest)) { try Self.canonical(text + "x") }
    }

    @Test("never reads beyond the text") func bounds() {
        let text = Array("HTTPS://[::1]:0443/a%2Fb/c?d=%41&e=f-and-some-more-of-it#fragment".utf8)
        for count in 0...text.count {
            // An allocation of exactly so many bytes, so that a sanitizer sees a read behind them.
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
            defer { copy.deallocate() }
            copy.copyBytes(from: text[..<count])
            let alone = try? CanonicalURL.withBytes(of: UnsafeRawBufferPointer(copy)) { Array($0) }
            // The same with the rest of the text behind it.
            let followed = text.withUnsafeBytes { bytes in
                try? CanonicalURL.withBytes(of: UnsafeRawBufferPointer(rebasing: bytes[..<count])) { Array($0) }
            }
            #expect(alone == followed, "\(count) bytes")
        }
    }
}
