import TestSupport
import Testing

@testable import GaugeTraces

@Suite("Trace format detection") struct TraceFormatTests {
    static let squid =
        "1066036250.603    310 192.0.2.7 TCP_MISS/200 4217 GET http://a.example/x?v=1 - DIRECT/192.0.2.1 text/html\n"
    static let combined =
        "192.0.2.7 - Jo Doe [10/Oct/2000:13:55:36 -0700] \"GET /x?v=1 HTTP/1.1\" 200 2326 \"http://r.example/\" \"A/1\"\n"
    static let har = """
        {"log": {"version": "1.2", "entries": [{"startedDateTime": "2026-11-21T10:00:00.5Z", "time": 20,
        "request": {"method": "GET", "url": "https://a.example/x", "headers": []},
        "response": {"status": 200, "headers": [{"name": "Cache-Control", "value": "max-age=60"}],
        "content": {"size": 1234, "text": "…"}, "bodySize": -1}}]}}
        """
    /// A trace of one request in every format.
    static let samples: [(TraceFormat, [UInt8])] = [
        (.har, Array(har.utf8)), (.squid, Array(squid.utf8)), (.combined, Array(combined.utf8)),
        (.csv, Array("key,size,time\n17,5,1.5\n".utf8)), (.libcachesimCSV, Array("12,17,5,-1\n".utf8)),
        (.oracleGeneral, [1, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 8)),
        (.webcachesim, Array("12 17 5\n".utf8)), (.be32, [0, 0, 0, 17]),
        (.jsonLog, Array("{\"ts\":1.5,\"method\":\"GET\",\"uri\":\"/x\",\"status\":200}\n".utf8)),
        (.ids, Array("17\n".utf8)),
        (.vscsi, [0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 17] + [UInt8](repeating: 0, count: 15)),
    ]

    @Test("a squid log is recognised, and its lines are requests with methods and statuses") func squidLog() throws {
        let (requests, reader) = try TraceReading.all(Array(Self.squid.utf8), nil)
        #expect(reader.format == .squid && reader.isGuessed)
        let request = try #require(requests.first)
        #expect(request.url == "http://a.example/x?v=1" && request.size == 4217 && request.time == 1_066_036_250.603)
        #expect(request.exchange == HTTPExchange(method: "GET", status: 200))
    }

    @Test("a combined log is recognised, a name with spaces in it notwithstanding") func combinedLog() throws {
        let (requests, reader) = try TraceReading.all(Array(Self.combined.utf8), nil)
        #expect(reader.format == .combined && reader.isGuessed)
        let request = try #require(requests.first)
        #expect(request.url == "http://origin.invalid/x?v=1" && request.size == 2326 && request.time == 971_211_336)
        #expect(request.exchange == HTTPExchange(method: "GET", status: 200))
    }

    @Test("a common log needs neither referrer nor agent, and may leave the size out") func commonLog() throws {
        let request = try #require(
            try TraceReading.all("h - - [29/Feb/2024:00:00:00 +0000] \"HEAD / HTTP/1.0\" 304 -\n", .combined).first)
        #expect(request.size == nil && request.time == 1_709_164_800 && request.exchange?.status == 304)
    }

    @Test("a CSV trace's times are seconds, parts of them since 1970, or dates, whatever other columns there are")
    func timesOfCSV() throws {
        let times = ["1700000000", "1700000000000", "1700000000000000", "1700000000000000000", "2023-11-14T22:13:20Z"]
        for header in ["time,url,size,status", "time,url,size,status,x"] {
            let rest = String(repeating: ",1", count: header.hasSuffix("x") ? 1 : 0)
            let lines = times.map { "\($0),/a,10,200\(rest)\n" }.joined()
            let read = try TraceReading.all("\(header)\n\(lines)", .csv)
            #expect(read.map(\.time) == times.map { _ in 1_700_000_000 })
        }
        #expect(try TraceReading.all("time,key\n0.5,1\n99999999999,1\n", .csv).map(\.time) == [0.5, 99_999_999_999])
    }

    @Test("libCacheSim's CSV goes by position, or by the names of a header, whatever else is there")
    func libCacheSim() throws {
        let expected = [TraceRequest(id: 42, size: 512, time: 33898)]
        #expect(try TraceReading.all("33898,42,512\n", .libcachesimCSV) == expected)
        #expect(try TraceReading.all("33898, 42, 512, -1\n", .libcachesimCSV) == expected)
        #expect(try TraceReading.all("version,time,op,size,lbn\n1,33898,2a,512,42\n", .libcachesimCSV) == expected)
        #expect(
            try TraceReading.all("# time, object, size, next_access_vtime\n33898,42,512,-2\n", .libcachesimCSV)
                == expected)
    }

    @Test("oracleGeneral is 24 little-endian bytes a request") func oracleGeneral() throws {
        let bytes: [UInt8] =
            [4, 3, 2, 1, 0xEF, 0xCD, 0xAB, 0x89, 0x67, 0x45, 0x23, 0x01, 0, 0, 1, 0, 9, 0, 0, 0, 0, 0, 0, 0]
        #expect(
            try TraceReading.all(bytes, .oracleGeneral).requests == [
                TraceRequest(id: 0x0123_4567_89AB_CDEF, size: 65_536, time: 0x0102_0304 as Double)
            ])
    }

    @Test("webcachesim's text may carry more than its three numbers") func webcachesim() throws {
        #expect(
            try TraceReading.all("1 2 120\n\n4\t18446744073709551615 0 7 7\n", .webcachesim) == [
                TraceRequest(id: 2, size: 120, time: 1), TraceRequest(id: .max, size: 0, time: 4),
            ])
    }

    @Test(
        "what is damaged is told by line or offset, with the reason",
        arguments: [
            (.squid, "a b\n", "t: line 1: fewer than the ten fields"),
            (.squid, "x 1 c TCP/200 1 GET u - D/- t\n", "t: line 1: the time \"x\" is not"),
            (.squid, "1.5 y c TCP/200 1 GET u - D/- t\n", "t: line 1: the elapsed time"),
            (.squid, "1.5 1 c TCP200 1 GET u - D/- t\n", "t: line 1: the result \"TCP200\""),
            (.squid, "1.5 1 c TCP/2000 1 GET u - D/- t\n", "t: line 1: the result"),
            (.squid, "1.5 1 c TCP/200 -1 GET u - D/- t\n", "t: line 1: the size \"-1\""),
            (.squid, "1.5 1 c TCP/200 1 G\u{7}T u - D/- t\n", "t: line 1: the method \"G?T\" is not a method's name"),
            (.combined, "a b c\n", "t: line 1: no date in brackets"),
            (.combined, "h - - [31/Feb/2024:00:00:00 +0000] \"GET / H\" 200 1\n", "t: line 1: the date"),
            (.combined, "h - - [10/Oct/2000:13:55:36 -0700] GET / 200 1\n", "t: line 1: no request line"),
            (.combined, "h - - [10/Oct/2000:13:55:36 -0700] \"GET\" 200 1\n", "t: line 1: the request line"),
            (.combined, "h - - [10/Oct/2000:13:55:36 -0700] \"GET / H\" 20 1\n", "t: line 1: no status"),
            (.combined, "h - - [10/Oct/2000:13:55:36 -0700] \"GET / H\" 200 x\n", "t: line 1: the size \"x\""),
            (.combined, "h - - [10/Oct/2000:13:55:36 -0700] \"GET / H 200 1\n", "t: line 1: no request line"),
            (.libcachesimCSV, "1,2,3\n1,2\n", "t: line 2: fewer than the three fields"),
            (.libcachesimCSV, "1,,3\n", "t: line 1: the id is empty"),
            (.libcachesimCSV, "1,2,-3\n", "t: line 1: the size \"-3\""),
            (.libcachesimCSV, "time,size\n1,2\n", "t: line 1: no column is an id"),
            (.libcachesimCSV, "id,obj_id\n1,2\n", "t: line 1: more than one column is an id"),
            (.libcachesimCSV, "time,id\n1,2,3\n", "t: line 2: 3 fields under a header of 2"),
            (.webcachesim, "1 2\n", "t: line 1: fewer than the three fields"),
            (.webcachesim, "1 2 3\n1 x 3\n", "t: line 2: the id \"x\""),
            (.webcachesim, "1 18446744073709551616 3\n", "t: line 1: the id"),
            (.webcachesim, "1 2 9223372036854775808\n", "t: line 1: the size"),
            (.webcachesim, "1e3 2 3\n", "t: line 1: the time"),
            (.webcachesim, "1 2 3\n\0\n", "t: line 2: the line has NUL"),
            (.oracleGeneral, "0123456789", "t: offset 0: 10 of a request's 24 bytes"),
        ] as [(TraceFormat, String, String)])
    func damage(format: TraceFormat, text: String, told: String) {
        let message = TraceReading.message(Array(text.utf8), format)
        #expect(message.hasPrefix(told), "\(message)")
    }

    @Test("damaged requests are passed over and counted, and the first of them is remembered") func skipping() throws {
        let text = "1 1 10\nx\n2 2 20\n3 y 30\n" + String(repeating: "z", count: 2 << 20) + "\n4 4 40\n"
        let (requests, reader) = try TraceReading.all(Array(text.utf8), .webcachesim, skipping: .damage)
        #expect(requests.map(\.id) == [1, 2, 4])
        #expect(reader.skipped == 3 && reader.count == 3)
        #expect(reader.firstSkipped?.place == .line(2))
        #expect(reader.firstSkipped?.reason.hasPrefix("fewer than the three fields") == true)
        let (cut, tail) = try TraceReading.all([0, 0, 0, 9, 1, 2], .be32, skipping: .damage)
        #expect(cut.map(\.id) == [9] && tail.skipped == 1)
    }

    @Test("a header that is damaged is not passed over, nor is a file that cannot be read") func notSkipped() {
        #expect(throws: TraceError.self) {
            try TraceReading.all(Array("key,cost\n1,2\n".utf8), .csv, skipping: .damage)
        }
        #expect(throws: TraceError.self) {
            var reader = try TraceReader(TraceInput(path: "/"), format: .be32, skipping: .damage)
            _ = try reader.next()
        }
    }

    @Test(
        "whole, and in pieces of any length, a trace reads the same",
        arguments: nightly([1, 2, 3, 7, 100], else: [1, 7]))
    func pieces(count: Int) throws {
        for (format, bytes) in Self.samples {
            let longer = format == .har ? bytes : (format == .csv ? bytes + bytes.dropFirst(14) : bytes + bytes)
            let whole = try TraceReading.all(longer, format).requests
            #expect(whole.count == (format == .har ? 1 : 2))
            #expect(try TraceReading.all(longer, format, pieces: count).requests == whole, "\(format)")
            for cut in 0..<longer.count {
                let start = Array(longer[..<cut])
                #expect(
                    TraceReading.message(start, format) == TraceReading.message(start, format, pieces: count),
                    "\(format) cut at \(cut)")
            }
        }
    }

    @Test("an empty trace, NUL bytes, bytes that are no UTF-8: an error or no requests, in every format")
    func hostileBytes() {
        for format in TraceFormat.allCases {
            for bytes in [[], [0], [0xFF, 0xFE], [UInt8](repeating: 0, count: 30), [0x0A, 0x0A], [0xEF, 0xBB, 0xBF]] {
                let message = TraceReading.message(bytes, format)
                // Any text but control characters is an id.
                let count = format == .ids && bytes == [0xFF, 0xFE] ? 1 : 0
                #expect(message == "read \(count)" || message.hasPrefix("t: "), "\(format) from \(bytes): \(message)")
                #expect(TraceReading.message(bytes, nil).hasPrefix("t: "), "\(bytes)")
            }
        }
    }

    @Test("a request with a changed byte is an error, none, one, or two where a line was cut in two, in every format")
    func changedBytes() {
        for (format, bytes) in Self.samples {
            for index in bytes.indices {
                for byte in [0, 0x0A, 0x20, 0x22, 0x5C, 0x7B, 0x80, 0xFF] as [UInt8] {
                    var changed = bytes
                    changed[index] = byte
                    let message = TraceReading.message(changed, format)
                    #expect(
                        message.hasPrefix("t: ") || ["read 0", "read 1", "read 2"].contains(message),
                        "\(format), \(byte) at \(index): \(message)")
                    let skipping = try? TraceReading.all(changed, format, skipping: .damage)
                    #expect(skipping?.requests.count ?? 0 <= 2, "\(format), \(byte) at \(index)")
                }
            }
        }
    }

    @Test("reading moves no more bytes than there are") func linear() throws {
        let text = Array("1 2 3\n".utf8) + [UInt8](repeating: 0x31, count: 300_000) + Array(" 2 3\n1 2 3\n".utf8)
        let input = TraceReading.input(text, pieces: 777)
        var reader = try TraceReader(input, format: .webcachesim, skipping: .damage)
        while try reader.next() != nil {}
        #expect(reader.count == 2 && input.movedBytes <= text.count, "\(input.movedBytes) of \(text.count)")
    }
}
