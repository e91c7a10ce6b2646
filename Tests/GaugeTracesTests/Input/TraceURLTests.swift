import Foundation
import GaugeSupport
import Testing

@testable import GaugeTraces

@Suite("URLs of traces") struct TraceURLTests {
    private func written(_ url: String) -> String {
        TraceURL.encoded(Array(url.utf8)[...]).map { String(decoding: $0, as: UTF8.self) } ?? url
    }

    /// Only the host is left alone, where Foundation may write it in another way.
    private func expectFoundation(_ url: String) {
        #expect(written(url) == URL(string: url)?.absoluteString, "\(url.debugDescription)")
    }

    @Test("every character is encoded as Foundation does, in the path, the query and the fragment") func characters() {
        for scalar in [0x01...0x2FF, 0x2000...0x2010, 0x1F600...0x1F602].joined().compactMap(Unicode.Scalar.init) {
            for place in ["/a\(scalar)b", "?a\(scalar)b", "/#a\(scalar)b", "/%41\(scalar)?%41\(scalar)#%41\(scalar)"] {
                expectFoundation("https://a.example\(place)")
            }
        }
    }

    @Test("any text after a host is written as Foundation writes it") func texts() {
        let pieces = [
            "a", "Z", "0", "/", "?", "#", "%", "%4", "%41", "%zz", "%e4", "|", "[", "]", "{", "}", " ", "\\", "^", "`",
            "<", ">", "\"", "ß", "e\u{301}", "😀", ":", "@", ";", "=", "&", "+", "~", "'", "(", "\t", "\u{7F}", "//",
            ":80",
        ]
        var random = SplitMix64(seed: 12)
        for _ in 0..<20_000 {
            let count = Int(random.next() % 12)
            let rest = (0..<count).map { _ in pieces[Int(random.next() % UInt64(pieces.count))] }.joined()
            let host = ["http://a.example", "HTTPS://A.example:8080", "https://[::1]"][Int(random.next() % 3)]
            expectFoundation(host + ["/", "?", "#"][Int(random.next() % 3)] + rest)
        }
    }

    @Test("what is a URL already, and what has no host, is left alone") func alone() {
        for url in [
            "", "/", "/a%20b?c=%5B%5D", "https://a.example", "https://a.example/a?b#c", "https://[::1]/", "a|b",
            "a:b|c",
            "http:/a|b", "https://ü.example/",
        ] { #expect(TraceURL.encoded(Array(url.utf8)[...]) == nil, "\(url)") }
        #expect(written("https://ü.example/ü") == "https://ü.example/%C3%BC" && written("/a|b") == "/a%7Cb")
    }

    @Test("logs, archives and CSV have the encoded URL, and its id") func formats() throws {
        let clf = #"h - - [26/Nov/2026:10:00:00 +0000] "GET /\xC3\x9F[1]?a|b HTTP/1.1" 200 5"# + "\n"
        let json =
            #"{"ts":1,"request":{"method":"GET","host":"a.example","uri":"/ß[1]?a|b"},"status":200,"size":5}"# + "\n"
        let w3c =
            "#Fields: date time cs-method cs-host cs-uri-stem cs-uri-query sc-status sc-bytes\n"
            + "2026-11-26 10:00:00 GET a.example /ß[1] a|b 200 5\n"
        let har = """
            {"log":{"entries":[{"request":{"method":"GET","url":"http://a.example/ß[1]?a|b"},"response":{"status":200}}]}}
            """
        let path = "/%C3%9F%5B1%5D?a%7Cb"
        for (text, origin) in [
            (clf, "http://origin.invalid"), (json, "http://a.example"), (w3c, "http://a.example"),
            (har, "http://a.example"), ("url\nhttp://a.example/ß[1]?a|b\n", "http://a.example"),
            ("url\n/ß[1]?a|b\n", "http://origin.invalid"),
        ] {
            let requests = try TraceReading.all(Array(text.utf8), nil).requests
            #expect(
                requests.map(\.url) == [origin + path] && requests[0].id == URLIdentity.hash(of: (origin + path).utf8))
        }
    }
}
