import GaugeSupport
import Testing

@testable import GaugeTraces

@Suite("Lines of access logs") struct AccessLogLineTests {
    private func request(_ method: String, status: Int = 200, target: String = "/x") throws -> TraceRequest {
        try AccessLogLine.request(
            method: ArraySlice(method.utf8), target: ArraySlice(target.utf8), status: status, size: 7, time: 1)
    }

    @Test("a response to HEAD, and one that confirms, have no body whose size is told") func sizes() throws {
        #expect(try request("GET").size == 7 && request("POST").size == 7 && request("GET", status: 404).size == 7)
        #expect(try request("HEAD").size == nil && request("GET", status: 304).size == nil)
        #expect(try request("HEAD", status: 304).size == nil && request("head").size == 7)
        let whole = try request("PUT", status: 201, target: "http://a.example/y")
        #expect(whole.url == "http://a.example/y" && whole.time == 1)
        #expect(whole.exchange?.method == "PUT" && whole.exchange?.status == 201)
        #expect(try request("GET").url == "http://origin.invalid/x")
    }

    @Test("what is no method and no target is noise") func noise() {
        let longest = String(repeating: "a", count: AccessLogLine.longestURL)
        #expect(throws: Never.self) { try request("GET", target: longest) }
        #expect(throws: Never.self) { try request(String(repeating: "A", count: 64)) }
        for method in ["", "G T", "GÉT", "G(", String(repeating: "A", count: 65)] {
            #expect(throws: LineFault.self, "\(method)") { try request(method) }
        }
        for target in ["", longest + "a", "/a\u{1F}", "/a\u{7F}", "error:invalid-request"] {
            #expect(throws: LineFault.self) { try request("GET", target: target) }
        }
    }

    @Test("a status has three digits, or is 0") func statuses() {
        let texts = ["200", "100", "999", "000", "0", "99", "1000", "20x", ""]
        let read = texts.map { AccessLogLine.status(ArraySlice($0.utf8)) }
        #expect(read == [200, 100, 999, 0, 0, nil, nil, nil, nil])
    }

    @Test(
        "a host may have a port, and the usual one of its scheme is left out",
        arguments: [
            ("Shop.example", "http://shop.example"), ("shop.example:443", "https://shop.example"),
            ("shop.example:80", "http://shop.example"), ("shop.example:8080", "http://shop.example:8080"),
            ("shop.example:65535", "http://shop.example:65535"), ("shop.example:65536", nil), ("shop.example:", nil),
            ("shop.example:x", nil), ("[2001:db8::7]", "http://[2001:db8::7]"),
            ("[2001:db8::7]:443", "https://[2001:db8::7]"), ("[x]", nil), ("", nil), (":80", nil), ("-", nil),
            ("a b", nil), (String(repeating: "a", count: 256), nil),
        ] as [(String, String?)])
    func origins(host: String, origin: String?) {
        #expect(AccessLogLine.origin(ofHost: ArraySlice(host.utf8)) == origin)
    }

    @Test("with a scheme of its own, a host keeps the port that is not the scheme's") func schemes() {
        func origin(_ host: String) -> String? {
            AccessLogLine.origin(ofHost: ArraySlice(host.utf8), scheme: "https")
        }
        #expect(origin("a.example:443") == "https://a.example" && origin("a.example:80") == "https://a.example:80")
        #expect(origin("a.example") == "https://a.example")
    }

    @Test("a virtual host before its client is the origin, by its port or by the client's address")
    func virtualHosts() throws {
        for (start, origin) in [
            ("shop.example:8080 client.example frank", "http://shop.example:8080"),
            ("shop.example 192.0.2.7 frank", "http://shop.example"),
            ("shop.example client.example frank", "http://origin.invalid"),
            ("192.0.2.7 192.0.2.8 frank", "http://origin.invalid"),
        ] {
            let line = "\(start) [10/Oct/2000:13:55:36 -0700] \"GET /x HTTP/1.1\" 200 5\n"
            let (requests, _) = try TraceReading.all(Array(line.utf8), .combined)
            #expect(requests.map(\.url) == ["\(origin)/x"], "\(start)")
        }
    }

    @Test("the file with the earliest request comes next, of equal times the one that was named first") func files() {
        var random = Xoshiro256(seed: 3)
        for _ in 0..<300 {
            var times = (0..<1 + Int(random.next(below: 6))).map { (time: Double(random.next(below: 5)), file: $0) }
            var heap = FileTimes(times.shuffled(using: &random))
            while !times.isEmpty {
                let next = times.indices.min { times[$0] < times[$1] } ?? 0
                #expect(heap.first == times[next].file)
                switch random.next(below: 4) {
                case 0:
                    heap.removeFirst()
                    times.remove(at: next)
                case 1: heap.advance(to: nil)
                default:
                    // Some of these times lie before the last one.
                    let time = Double(random.next(below: 8))
                    heap.advance(to: time)
                    times[next].time = max(times[next].time, time)
                }
                if random.next(below: 30) == 0 { break }
            }
        }
    }
}
