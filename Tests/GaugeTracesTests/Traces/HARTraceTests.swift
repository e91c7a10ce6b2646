import Testing

@testable import GaugeSupport
@testable import GaugeTraces

@Suite("HAR traces") struct HARTraceTests {
    /// An archive of entries.
    private func archive(_ entries: String...) -> [UInt8] { archive(entries) }

    private func archive(_ entries: [String]) -> [UInt8] {
        Array("{\"log\":{\"version\":\"1.2\",\"entries\":[\(entries.joined(separator: ","))],\"pages\":[]}}\n".utf8)
    }

    private func entry(
        method: String = "GET", url: String = "https://a.example/", status: String = "200",
        started: String = "2026-11-21T10:00:00Z", response: String = "\"content\":{\"size\":10}"
    ) -> String {
        """
        {"startedDateTime":"\(started)","time":1.5,"request":{"method":"\(method)","url":"\(url)"},\
        "response":{"status":\(status),\(response)}}
        """
    }

    @Test("an archive is recognised, and its entries have all that a cache looks at") func sample() throws {
        let (requests, reader) = try TraceReading.all(Array(TraceFormatTests.har.utf8), nil)
        #expect(reader.format == .har && reader.isGuessed)
        let request = try #require(requests.first)
        #expect(requests.count == 1 && request.url == "https://a.example/x" && request.size == 1234)
        #expect(request.time == 1_795_255_200.5)
        let exchange = try #require(request.exchange)
        #expect(exchange.method == "GET" && exchange.status == 200 && exchange.hasFields)
        #expect(exchange.sent == request.time && exchange.duration == 0.02)
        #expect(
            exchange.responseFields == [
                HTTPExchange.Field(name: Array("Cache-Control".utf8), value: Array("max-age=60".utf8))
            ])
    }

    @Test("members may come in any order, a byte-order mark first, and of two the last counts") func order() throws {
        let text = """
            \u{FEFF} {"x": [[], {}, [1, -0.5e+3, true, false, null, "\\u0041"]], "log": {"entries": [{
            "response": {"bodySize": 7, "content": {"text": "\\"}]", "size": -1}, "headers": null, "status": 404},
            "request": {"url": "https:\\/\\/b.example\\/\\u00e9\\ud83d\\ude00", "method": "POST", "method": "GET",
            "headers": [{"value": "b", "name": "a", "comment": ""}, 5, {"name": ":path", "value": "/"}]},
            "startedDateTime": "2009-07-24T19:20:30.45+01:00"}]}, "log": 3}
            """
        let request = try #require(try TraceReading.all(text, .har).first)
        #expect(
            request.url == "https://b.example/%C3%A9%F0%9F%98%80" && request.size == 7
                && request.time == 1_248_459_630.45)
        #expect(request.exchange?.method == "GET" && request.exchange?.status == 404)
        #expect(request.exchange?.requestFields == [HTTPExchange.Field(name: [0x61], value: [0x62])])
    }

    @Test(
        "entries of equal times stay in the order of the file, and so do those without a time",
        arguments: [1, 2, 3, 7])
    func equalTimes(different: Int) throws {
        var random = SplitMix64(seed: UInt64(different))
        let seconds = (0..<300).map { _ in Int(random.next() % UInt64(different)) }
        let entries = seconds.enumerated().map {
            entry(url: "https://a.example/\($0.offset)", started: "2026-11-21T10:00:0\($0.element)Z")
        }
        let requests = try TraceReading.all(archive(entries), .har).requests
        let expected = seconds.indices.sorted { (seconds[$0], $0) < (seconds[$1], $1) }
        #expect(requests.map(\.url) == expected.map { "https://a.example/\($0)" })
        // Without a time, they have that of the entry before.
        let untimed = entries.enumerated().map { number, entry in
            number % 3 == 1 ? entry.replacing(#/"startedDateTime":"[^"]*",/#, with: "") : entry
        }
        let filled = seconds.indices.map { seconds[$0 % 3 == 1 ? $0 - 1 : $0] }
        let order = filled.indices.sorted { (filled[$0], $0) < (filled[$1], $1) }
        #expect(
            try TraceReading.all(archive(untimed), .har).requests.map(\.url)
                == order.map { "https://a.example/\($0)" })
    }

    @Test("a value of several lines is several fields") func lines() throws {
        let bytes = archive(entry(response: "\"headers\":[{\"name\":\"Set-Cookie\",\"value\":\"a=1\\n b=2\\r\"}]"))
        let fields = try #require(try TraceReading.all(bytes, .har).requests.first?.exchange?.responseFields)
        #expect(fields.map { String(decoding: $0.value, as: UTF8.self) } == ["a=1", "b=2"])
    }

    @Test("a header field whose name or value is no text has an empty one, and one without a name is left out")
    func otherKinds() throws {
        for other in ["null", "7", "true", "[\"a\"]", "{\"a\":\"b\"}"] {
            let headers = """
                "headers":[{"name":\(other),"value":"x"},{"name":"A","value":\(other)},{"name":"B","value":"b"}]
                """
            let request = try #require(try TraceReading.all(archive(entry(response: headers)), .har).requests.first)
            let fields = try #require(request.exchange?.responseFields)
            #expect(
                fields.map {
                    "\(String(decoding: $0.name, as: UTF8.self)): \(String(decoding: $0.value, as: UTF8.self))"
                }
                    == ["A: ", "B: b"], "\(other)")
        }
    }

    @Test("a 304 does not tell the size of the response that it confirms") func notModified() throws {
        let request = try #require(try TraceReading.all(archive(entry(status: "304")), .har).requests.first)
        #expect(request.exchange?.status == 304 && request.size == nil)
    }

    @Test(
        "an entry that lacks something is named, and passed over if asked for",
        arguments: [
            ("{}", "entry 2: request.url is missing"), ("7", "entry 2: request.url is missing"),
            ("{\"request\":{\"url\":\"u\"},\"response\":{}}", "entry 2: the request got no response"),
            (
                "{\"request\":{\"url\":\"u\",\"method\":\"G T\"},\"response\":{\"status\":200}}",
                "entry 2: request.method is not a method's name"
            ),
            ("{\"request\":{\"url\":\"u\",\"method\":\"GET\"},\"response\":{\"status\":1e300}}", "response.status"),
            (
                "{\"startedDateTime\":\"now\",\"request\":{\"url\":\"u\"},\"response\":{\"status\":200}}",
                "startedDateTime \"now\" is not of the form"
            ),
        ])
    func incompleteEntry(text: String, told: String) throws {
        let bytes = archive(entry(), text, entry())
        #expect(TraceReading.message(bytes, .har).contains(told), "\(TraceReading.message(bytes, .har))")
        let (requests, reader) = try TraceReading.all(bytes, .har, skipping: .damage)
        #expect(requests.count == 2 && reader.skipped == 1)
    }

    @Test(
        "an entry without URL or response is skipped and counted, and a strict reader ends at it",
        arguments: [
            "{}", "7", "{\"request\":{\"url\":\"\",\"method\":\"GET\"},\"response\":{\"status\":200}}",
            "{\"request\":{\"url\":\"u\",\"method\":\"GET\"},\"response\":{}}",
            "{\"request\":{\"url\":\"u\",\"method\":\"GET\"},\"response\":{\"status\":null}}",
            "{\"request\":{\"url\":\"u\",\"method\":\"GET\"},\"response\":{\"status\":-1}}",
        ])
    func noRequest(text: String) throws {
        let bytes = archive(entry(), text, entry())
        let (requests, reader) = try TraceReading.all(bytes, nil, skipping: .noise)
        #expect(requests.count == 2 && reader.skipped == 1)
        #expect(throws: TraceError.self) { try TraceReading.all(bytes, nil, skipping: .nothing) }
    }

    @Test("a negative duration counts as none, and a wrong status or date is damage") func oddValues() throws {
        let negative = entry().replacing("\"time\":1.5", with: "\"time\":-5")
        #expect(try TraceReading.all(archive(negative), nil).requests.first?.exchange?.duration == 0)
        for wrong in [entry(status: "1000"), entry(started: "today"), entry(method: "G T")] {
            #expect(throws: TraceError.self) { try TraceReading.all(archive(wrong), nil, skipping: .noise) }
        }
    }

    @Test("an archive that breaks off gives what is before, and one damage") func cutShort() throws {
        let bytes = archive(entry(), entry(), entry())
        let (requests, reader) = try TraceReading.all(Array(bytes.dropLast(40)), .har, skipping: .damage)
        #expect(requests.count == 2 && reader.skipped == 1)
        #expect(TraceReading.message(Array(bytes.dropLast(40)), .har).contains("not JSON: the document ends"))
    }

    @Test(
        "what is no archive is told",
        arguments: [
            ("", "empty"), ("[]", "'{' is expected here"), ("{}", "no HTTP archive"),
            ("{\"log\":{}}", "no HTTP archive"),
            ("{\"log\":{\"entries\":{}}}", "no HTTP archive"),
            ("{\"log\":{\"entries\":[]}} x", "something follows the document"),
            ("{\"log\":{\"entries\":[]", "the document ends"), ("{\"log\":{\"entries\":[,]}}", "entry 1"),
            ("{\"a\":01}", "',' or '}' is expected here"), ("{\"a\":.5}", "a value is expected"),
            ("{\"a\":-}", "a digit is expected here"),
            ("{\"a\":tru}", "'true' is expected here"), ("{\"a\":\"\n\"}", "a control character"),
            ("{\"a\":\"\\x\"}", "this escape is unknown"), ("{\"a\":\"\\u12g4\"}", "four hexadecimal digits"),
            ("{\"a\" 1}", "':' is expected here"), ("{\"a\":1,}", "a name in \"…\" is expected here"),
            ("{a:1}", "a name in \"…\" is expected here"),
        ])
    func noArchive(text: String, told: String) {
        let message = TraceReading.message(Array(text.utf8), .har)
        #expect(message.contains(told) || told == "entry 1" && message.contains("a value is expected"), "\(message)")
    }

    @Test("nesting that is too deep is an error, not a deep stack") func deep() {
        let text = "{\"a\":" + String(repeating: "[", count: 1_000_000)
        #expect(TraceReading.message(Array(text.utf8), .har).contains("nested more than 64 deep"))
        let open = "{\"log\":{\"entries\":[" + String(repeating: "{\"request\":", count: 1_000_000)
        #expect(TraceReading.message(Array(open.utf8), .har).contains("nested more than 64 deep"))
    }

    @Test("header fields are bounded by the bytes of names and values together") func manyFields() throws {
        func message(_ count: Int) -> String {
            let field = "{\"name\":\"a\",\"value\":\"\(String(repeating: "b", count: 1_023))\"}"
            let fields = Array(repeating: field, count: count).joined(separator: ",")
            return TraceReading.message(archive(entry(response: "\"headers\":[\(fields)]")), .har)
        }
        #expect(!message(HARFields.mostBytes / 1_024).contains("header fields"))
        #expect(message(HARFields.mostBytes / 1_024 + 1).contains("more than 1000 header fields or 262144 bytes"))
    }

    @Test("long strings are passed over, and a long URL or field is damage") func longTexts() throws {
        let long = String(repeating: "a", count: 1 << 17)
        let input = TraceReading.input(
            archive(entry(response: "\"content\":{\"size\":3,\"text\":\"\(long)\(long)\"}")), pieces: 5000)
        var reader = try TraceReader(input, format: .har)
        #expect(try reader.next()?.size == 3)
        #expect(
            TraceReading.message(archive(entry(url: "https://a.example/\(long)")), .har).contains(
                "request.url is longer"))
        let inline = archive(entry(url: "data:\(long)"), entry())
        #expect(try TraceReading.all(inline, .har, skipping: .noise).requests.map(\.url) == ["https://a.example/"])
        #expect(
            TraceReading.message(
                archive(entry(response: "\"headers\":[{\"name\":\"a\",\"value\":\"\(long)\"}]")), .har
            ).contains("a header field of more than"))
    }

    @Test(
        "dates of archives",
        arguments: [
            ("2009-07-24T19:20:30.45+01:00", 1_248_459_630.45), ("1970-01-01T00:00:00Z", 0),
            ("2000-02-29t23:59:60z", 951_868_800), ("1969-12-31T23:00:00-0100", 0),
            ("1969-12-31T20:30:00-03:30", 0), ("1970-01-01T05:45:00+05:45", 0),
            ("0000-01-01T00:00:00Z", -62_167_219_200), ("2000-02-28T00:00:00Z", 951_696_000),
            ("2000-03-01T00:00:00Z", 951_868_800), ("2000-04-01T00:00:00Z", 954_547_200),
            ("2004-03-31T00:00:00Z", 1_080_691_200), ("2100-03-01T00:00:00Z", 4_107_542_400),
            ("2000-12-31T00:00:00Z", 978_220_800), ("2001-03-01T00:00:00Z", 983_404_800),
            ("2001-02-29T00:00:00Z", nil), ("2000-13-01T00:00:00Z", nil), ("2000-01-01T24:00:00Z", nil),
            ("2000-01-01T00:00:00", nil), ("2000-01-01T00:00:00.Z", nil), ("2000-01-01 00:00:00Z", nil), ("", nil),
        ] as [(String, Double?)])
    func dates(text: String, expected: Double?) {
        #expect(LogDate.parseISO8601(Array(text.utf8)[...]) == expected)
    }
}
