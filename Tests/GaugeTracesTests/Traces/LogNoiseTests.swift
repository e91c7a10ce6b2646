import Testing

@testable import GaugeTraces

/// Lines as servers write them into their logs beside requests.
@Suite("Noise in logs") struct LogNoiseTests {
    private static let date = "[10/Oct/2000:13:55:36 -0700]"
    private static let good = "192.0.2.7 - - \(date) \"GET /x HTTP/1.1\" 200 2326 \"-\" \"A/1\""

    private static let noise = [
        "192.0.2.7 - - \(date) \"-\" 408 0 \"-\" \"-\"", "192.0.2.7 - - \(date) \"\" 400 0 \"-\" \"-\"",
        "192.0.2.7 - - \(date) \"\\x16\\x03\\x01\\x02\\x00 \\x01\\x00\" 400 226 \"-\" \"-\"",
        "192.0.2.7 - - \(date) \"\u{16}\u{3}\u{1} \u{2}\" 400 226", "", "\u{16}\u{3}\u{1}\u{2}", "Oct 10 rotated",
    ]

    @Test(
        "ordinary lines that are not requests are skipped and counted, and a strict reader ends at the first",
        arguments: noise)
    func skipped(line: String) throws {
        let bytes = Array("\(line)\n\(Self.good)\n\(line)\n\(Self.good)\n".utf8)
        let (requests, reader) = try TraceReading.all(bytes, nil, skipping: .noise)
        #expect(reader.format == .combined && requests.count == 2 && reader.skipped == 2)
        #expect(reader.firstSkipped?.place == .line(1))
        let warning = "2 lines or entries without a request were skipped, the first of them: t: line 1"
        #expect(reader.skipWarning?.hasPrefix(warning) == true)
        #expect(throws: TraceError.self) { try TraceReading.all(bytes, nil, skipping: .nothing) }
    }

    @Test("squid's lines of requests that never arrived are skipped") func squid() throws {
        let text = "1.500 0 c NONE/400 3 NONE error:invalid-request - HIER_NONE/- text/html\n" + TraceFormatTests.squid
        let (requests, reader) = try TraceReading.all(Array(text.utf8), nil, skipping: .noise)
        #expect(reader.format == .squid && requests.count == 1 && reader.skipped == 1)
    }

    @Test(
        "a last line that ends inside a number is no request without its line end",
        arguments: [
            (.webcachesim, "1 2 120\n1 3 12"), (.csv, "key,size\n1,5\n1,5"), (.ids, "17\n1"),
            (.combined, "\(good)\nh - - \(date) \"GET /x HTTP/1.1\" 200 23"),
        ] as [(TraceFormat, String)])
    func cut(format: TraceFormat, text: String) throws {
        let (requests, reader) = try TraceReading.all(Array(text.utf8), format, skipping: .noise)
        #expect(requests.count == 1 && reader.skipped == 1)
        #expect(reader.firstSkipped?.reason.contains("ends in a number without a line end") == true)
        #expect(try TraceReading.all(text + "\n", format).count == 2)
        #expect(throws: TraceError.self) { try TraceReading.all(text, format) }
    }

    @Test(
        "a virtual host is part of the URL, with its port and without",
        arguments: [
            ("shop.example:443 192.0.2.7 - -", "https://shop.example/x"),
            ("Shop.example:80 192.0.2.7 - -", "http://shop.example/x"),
            ("shop.example:8080 2001:db8::7 - Jo Doe", "http://shop.example:8080/x"),
            ("[2001:db8::1]:443 192.0.2.7 - -", "https://[2001:db8::1]/x"),
            ("shop.example 192.0.2.7 - -", "http://shop.example/x"),
            ("192.0.2.7 - Jo Doe", "http://origin.invalid/x"), ("2001:db8::7 - -", "http://origin.invalid/x"),
            ("host.example - -", "http://origin.invalid/x"), ("::1 - -", "http://origin.invalid/x"),
        ])
    func virtualHosts(start: String, url: String) throws {
        let line = "\(start) \(Self.date) \"GET /x HTTP/1.1\" 200 2326 \"-\" \"A/1\"\n"
        let (requests, reader) = try TraceReading.all(Array(line.utf8), nil)
        #expect(reader.format == .combined && requests.map(\.url) == [url])
    }

    @Test("escapes of a log are resolved") func escapes() throws {
        let line = "h - - \(Self.date) \"GET /a\\\"b\\\\c\\x20d\\xzz HTTP/1.1\" 200 5\n"
        #expect(try TraceReading.all(line, .combined).map(\.url) == ["http://origin.invalid/a%22b%5Cc%20dxzz"])
    }

    @Test("the lines of Caddy's log are requests with header fields, whose host and scheme are part of the URL")
    func caddy() throws {
        let line = """
            {"level":"info","ts":1646861401.5,"logger":"http.log.access","msg":"handled request","request":{\
            "remote_ip":"192.0.2.7","proto":"HTTP/2.0","method":"GET","host":"shop.example:8443","uri":"/x?v=1",\
            "headers":{"User-Agent":["A/1"]},"tls":{"resumed":false}},"bytes_read":0,"duration":0.25,"size":10900,\
            "status":200,"resp_headers":{"Cache-Control":["max-age=60"],"Vary":["a","b"]}}

            """
        let (requests, reader) = try TraceReading.all(Array(line.utf8), nil)
        let request = try #require(requests.first)
        #expect(reader.format == .jsonLog && request.url == "https://shop.example:8443/x?v=1")
        #expect(request.size == 10900 && request.time == 1_646_861_401.5)
        let exchange = try #require(request.exchange)
        #expect(exchange.hasFields && exchange.sent == 1_646_861_401.25 && exchange.duration == 0.25)
        #expect(exchange.responseFields.map { String(decoding: $0.value, as: UTF8.self) } == ["max-age=60", "a", "b"])
    }

    @Test(
        "the lines of nginx's JSON log are requests, by the usual names of its variables",
        arguments: [
            """
            {"time_iso8601":"2026-11-21T10:00:00+00:00","request_method":"GET","request_uri":"/x","host":"a.example",\
            "scheme":"https","status":"200","body_bytes_sent":"5"}
            """,
            """
            {"msec":1795255200.000,"request":"GET /x HTTP/1.1","http_host":"a.example:443","status":200,"bytes_sent":5,\
            "more":[{}]}
            """,
            """
            {"time_local":"21/Nov/2026:10:00:00 +0000","method":"GET","url":"https://a.example/x","status":200,"size":5}
            """,
            """
            {"timestamp":1795255200000,"method":"GET","uri":"/x","vhost":"a.example","scheme":"https","status":200,\
            "bytes":5}
            """,
        ])
    func nginx(line: String) throws {
        let text = "Oct 10 started\n\(line)\n{\"a\":1}\n"
        let (requests, reader) = try TraceReading.all(Array(text.utf8), nil, skipping: .noise)
        let request = try #require(requests.first)
        #expect(reader.format == .jsonLog && reader.skipped == 2 && requests.count == 1)
        #expect(request.url == "https://a.example/x" && request.size == 5 && request.time == 1_795_255_200)
        #expect(request.exchange == HTTPExchange(method: "GET", status: 200))
    }

    @Test("entries of an archive come in the order of their times, and those without a response are skipped")
    func archive() throws {
        func entry(_ second: Int, _ status: Int) -> String {
            """
            {"startedDateTime":"2026-11-21T10:00:0\(second)Z",
            "request":{"method":"GET","url":"https://a.example/\(second)"},"response":{"status":\(status)}}
            """
        }
        let entries = [entry(4, 200), entry(3, 0), entry(1, 200), entry(2, -2), entry(0, 304)]
        let bytes = Array("{\"log\":{\"entries\":[\(entries.joined(separator: ","))]}}".utf8)
        let (requests, reader) = try TraceReading.all(bytes, nil, skipping: .noise)
        #expect(requests.map { $0.url?.last } == ["0", "1", "4"] && reader.skipped == 2)
        #expect(reader.firstSkipped?.reason == "entry 2: the request got no response")
        #expect(throws: TraceError.self) { try TraceReading.all(bytes, nil, skipping: .nothing) }
    }

    @Test("requests of equal times keep their order, whatever the order in which they arrive") func order() {
        var order = TimeOrder()
        for number in 0..<200 { order.insert(TraceRequest(id: UInt64(number), time: Double(number * 37 % 50 / 10))) }
        var taken: [TraceRequest] = []
        while let request = order.removeFirst() { taken.append(request) }
        let expected = taken.sorted { ($0.time ?? 0, $0.id) < ($1.time ?? 0, $1.id) }
        #expect(taken == expected && taken.count == 200)
    }

    @Test("ids are one a line, and those of vscsi are logical blocks") func ids() throws {
        let requests = try TraceReading.all("17\n*\n\n 17 \nabc\n", .ids)
        #expect(requests.count == 3 && requests[0] == requests[1] && requests[2].id != 17)
        let tail: [UInt8] = [9, 0x1A, 0x8F, 2, 0, 0, 0, 0, 0x22, 0xCF, 0x82, 0xBE, 0x1F, 5, 0, 0]
        let first: [UInt8] = [0xF4, 0, 0, 0x80, 0, 2, 0, 0, 1, 0, 0, 0, 0x2A, 0, 0, 1] + tail
        let request = TraceRequest(id: 42_932_745, size: 512, time: 5_633_898.368_802)
        #expect(try TraceReading.all(first + first, .vscsi).requests == [request, request])
        let head: [UInt8] = [0x2A, 0, 0, 2, 0xF4, 0, 0, 0x80, 0, 2, 0, 0, 1, 0, 0, 0]
        let second = head + tail + [UInt8](repeating: 7, count: 8)
        #expect(try TraceReading.all(second + second, .vscsi).requests == [request, request])
        #expect(TraceReading.message([UInt8](repeating: 9, count: 64), .vscsi).contains("neither version 1 nor 2"))
    }

    @Test("Twitter's traces have their size in the fourth column, and Meta's are read by their names")
    func columns() throws {
        let twitter = try TraceReading.all("0,q:1:8W,17,213,4,get,0\n1,q:1:8W,17,213,4,set,0\n", .libcachesimCSV)
        #expect(twitter.map(\.size) == [213, 213] && twitter.map(\.time) == [0, 1] && twitter[0].id == twitter[1].id)
        let meta = "op_time,key,key_size,op,op_count,size\n36,10,68,GET,1,119\n"
        #expect(try TraceReading.all(meta, .libcachesimCSV) == [TraceRequest(id: 10, size: 119, time: 36)])
        #expect(TraceReading.message(Array(meta.utf8), nil).contains("--trace-format libcachesim-csv"))
    }

    @Test("an id of libCacheSim's CSV may be a text, without a header too") func textIDs() throws {
        let requests = try TraceReading.all("1,abc,5\n2,abd,5\n3,abc,5\n", .libcachesimCSV)
        #expect(requests.count == 3 && requests[0].id == requests[2].id && requests[0].id != requests[1].id)
    }
}
