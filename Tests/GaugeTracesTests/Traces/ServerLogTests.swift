import Testing

@testable import GaugeTraces

/// Logs in the forms to which servers are set up.
@Suite("Logs of servers") struct ServerLogTests {
    private static let date = "[10/Oct/2000:13:55:36 -0700]"

    private func urls(_ lines: String..., format: TraceFormat) throws -> [String?] {
        let text = lines.joined(separator: "\n") + "\n"
        let (requests, reader) = try TraceReading.all(Array(text.utf8), nil)
        #expect(reader.format == format)
        return requests.map(\.url)
    }

    @Test(
        "the port of a client is not taken for that of a virtual host",
        arguments: ["192.0.2.7:51234 - -", "[2001:db8::7]:51234 - -", "192.0.2.7:51234 - Jo Doe", "unix: - -"])
    func clientPort(start: String) throws {
        let read = try urls("\(start) \(Self.date) \"GET /x HTTP/1.1\" 200 5", format: .combined)
        #expect(read == ["http://origin.invalid/x"])
    }

    @Test(
        "the target is all between method and version, spaces included",
        arguments: [
            ("GET /a b HTTP/1.1", "/a%20b"), ("GET /a b", "/a%20b"), ("GET /a", "/a"), ("GET  /a  HTTP/2.0", "/a"),
            ("GET /a HTTP/1.1 HTTP/1.1", "/a%20HTTP/1.1"),
        ])
    func target(line: String, path: String) throws {
        let read = try urls("192.0.2.7 - - \(Self.date) \"\(line)\" 200 5", format: .combined)
        #expect(read == ["http://origin.invalid\(path)"])
    }

    @Test("a line of a request that got no response is noise", arguments: ["000", "0"])
    func noResponse(status: String) throws {
        let squid = "1157689312.049 5 192.0.2.1 TCP_MISS_ABORTED/\(status) 0 GET http://a.example/ - D/- -\n"
        let combined = "192.0.2.7 - - \(Self.date) \"GET /x HTTP/1.1\" \(status) 0\n"
        for (line, format) in [(squid, TraceFormat.squid), (combined, .combined)] {
            let (requests, reader) = try TraceReading.all(Array(line.utf8), format, skipping: .noise)
            #expect(requests.isEmpty && reader.skipped == 1)
        }
    }

    @Test("a request line without a target is noise", arguments: ["GET HTTP/1.1", "GET  HTTP/1.1", "GET", " "])
    func noTarget(line: String) throws {
        let bytes = Array("192.0.2.7 - - \(Self.date) \"\(line)\" 400 5\n".utf8)
        let (requests, reader) = try TraceReading.all(bytes, .combined, skipping: .noise)
        #expect(requests.isEmpty && reader.skipped == 1)
    }

    @Test(
        "the date of a log may have decimals or be that of ISO 8601",
        arguments: [
            ("10/Oct/2000:13:55:36 -0700", 971_211_336), ("10/Oct/2000:13:55:36.25 -0700", 971_211_336.25),
            ("2000-10-10T13:55:36-07:00", 971_211_336), ("2000-10-10T20:55:36.5Z", 971_211_336.5),
            ("10/Oct/2000:13:55:36. -0700", nil), ("10/Oct/2000:13:55:36-0700", nil),
            ("10/Oct/2000:13:55:36 -07:00", nil), ("10/Oct/2000:13:55:36 Z", nil), ("10/Oct/2000:13:55", nil),
        ] as [(String, Double?)])
    func dates(date: String, expected: Double?) throws {
        let bytes = Array("192.0.2.7 - - [\(date)] \"GET /x HTTP/1.1\" 200 5\n".utf8)
        let (requests, reader) = try TraceReading.all(bytes, .combined, skipping: .noise)
        #expect(requests.first?.time == expected && requests.count + reader.skipped == 1)
    }

    @Test(
        "a date without a zone is taken as UTC",
        arguments: [
            ("2000/10/10 20:55:36", 971_211_336), ("2000/10/10 20:55:36.250", 971_211_336.25),
            ("2000-10-10 20:55:36", 971_211_336), ("2000-10-10T20:55:36", 971_211_336),
            ("2000/10-10 20:55:36", nil), ("2000/10/10_20:55:36", nil), ("2000/10/10 20:55:36x", nil), ("", nil),
            ("2000/10/10 20:55:60", 971_211_360), ("2000/10/10 20:55:61", nil), ("2000/10/10 20:60:00", nil),
            ("2000/10/10 24:00:00", nil),
        ] as [(String, Double?)])
    func datesWithoutZone(date: String, expected: Double?) {
        #expect(LogDate.parseWithoutZone(Array(date.utf8)[...]) == expected)
    }

    @Test(
        "of several members that name the object, the one that tells the most counts, in any order",
        arguments: [
            (["\"request\":\"GET /a?v=1 HTTP/1.1\"", "\"uri\":\"/index.php\""], "http://a.example/a?v=1"),
            (
                ["\"request_method\":\"GET\"", "\"request_uri\":\"/a?v=1\"", "\"uri\":\"/index.php\""],
                "http://a.example/a?v=1"
            ),
            (["\"request_method\":\"GET\"", "\"uri\":\"/a\"", "\"args\":\"v=1\""], "http://a.example/a?v=1"),
            (["\"request_method\":\"GET\"", "\"uri\":\"/a\"", "\"args\":\"\""], "http://a.example/a"),
            (
                ["\"request\":\"GET /a?v=1 HTTP/1.1\"", "\"args\":\"v=1\"", "\"http_host\":\"other.example\""],
                "http://a.example/a?v=1"
            ),
            (
                ["\"request\":\"GET /a HTTP/1.1\"", "\"url\":\"https://b.example/a\"", "\"server_name\":\"_\""],
                "https://b.example/a"
            ),
        ])
    func members(given: [String], url: String) throws {
        let members = given + ["\"host\":\"a.example\"", "\"status\":200", "\"msec\":1.5"]
        for members in [members, members.reversed()] {
            #expect(try urls("{\(members.joined(separator: ","))}", format: .jsonLog) == [url])
        }
    }

    @Test("of several sizes that of the body counts, and of several times the one with decimals, in any order")
    func sizesAndTimes() throws {
        let members = [
            "\"bytes_sent\":900", "\"body_bytes_sent\":5", "\"time_local\":\"10/Oct/2000:13:55:36 -0700\"",
            "\"msec\":971211336.25", "\"request\":\"GET /a HTTP/1.1\"", "\"status\":200",
        ]
        for members in [members, members.reversed()] {
            let request = try #require(try TraceReading.all("{\(members.joined(separator: ","))}\n", .jsonLog).first)
            #expect(request.size == 5 && request.time == 971_211_336.25)
        }
    }

    @Test(
        "a size of - is 0 bytes, and unknown only where the response has no body to tell its length",
        arguments: [
            ("GET", 204, 0), ("GET", 200, 0), ("GET", 301, 0), ("GET", 304, nil), ("HEAD", 200, nil),
        ] as [(String, Int, Int?)])
    func dash(method: String, status: Int, expected: Int?) throws {
        for size in ["-", "0"] {
            let line = "192.0.2.7 - - \(Self.date) \"\(method) /x HTTP/1.1\" \(status) \(size)\n"
            #expect(try TraceReading.all(line, .combined).map(\.size) == [expected], "\(size)")
        }
    }

    @Test("the NUL bytes of a log that was truncated while it was written are no part of the line after them")
    func hole() throws {
        let lines = [
            ("shop.example:80 192.0.2.7 - - \(Self.date) \"GET /x HTTP/1.1\" 200 5", TraceFormat.combined),
            ("{\"ts\":1.5,\"method\":\"GET\",\"uri\":\"/x\",\"status\":200}", .jsonLog),
            ("1066036250.603 310 192.0.2.7 TCP_MISS/200 4217 GET http://a.example/x - DIRECT/192.0.2.1 a/b", .squid),
        ]
        for (line, format) in lines {
            let plain = try TraceReading.all(Array("\(line)\n".utf8), nil)
            for count in [1, 100_000] {
                let holed = [UInt8](repeating: 0, count: count) + Array("\(line)\n".utf8)
                let read = try TraceReading.all(holed, nil)
                #expect(read.reader.format == format && read.requests == plain.requests && read.requests.count == 1)
            }
        }
    }

    @Test("a line that is too long is noise in a log, and damage elsewhere") func longLine() throws {
        let line = "192.0.2.7 - - \(Self.date) \"GET /x HTTP/1.1\" 200 5\n"
        let long = String(repeating: "x", count: TraceInput.longestLine + 100_000) + "\n"
        let (requests, reader) = try TraceReading.all(Array((line + long + line).utf8), nil, skipping: .noise)
        #expect(requests.count == 2 && reader.skipped == 1)
        #expect(throws: TraceError.self) {
            try TraceReading.all(Array("1 2 3\n\(long)".utf8), .webcachesim, skipping: .noise)
        }
    }

    @Test("a log of long lines is recognised by the first of them") func longFirstLine() throws {
        let path = String(repeating: "a", count: 20_000)
        let line = "192.0.2.7 - - \(Self.date) \"GET /\(path) HTTP/1.1\" 200 5"
        #expect(try urls(line, line, format: .combined).count == 2)
    }
}
