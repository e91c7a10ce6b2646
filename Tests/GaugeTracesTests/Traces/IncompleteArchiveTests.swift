import Testing

@testable import GaugeTraces

/// Archives as browsers and services write them, with less than HAR 1.2 asks for.
@Suite("Incomplete archives") struct IncompleteArchiveTests {
    private func entry(_ started: String, method: String = "\"method\":\"GET\",", path: String, status: String = "200")
        -> String
    {
        "{\(started)\"time\":30,\"request\":{\(method)\"url\":\"https://a.example/\(path)\"},"
            + "\"response\":{\"status\":\(status),\"content\":{\"size\":\"10\"}}}"
    }

    private func at(_ date: String) -> String { "\"startedDateTime\":\"\(date)\"," }

    private func archive(_ entries: String...) -> String {
        "{\"log\":{\"entries\":[\(entries.joined(separator: ","))]}}"
    }

    private func read(_ text: String) throws -> (requests: [TraceRequest], reader: TraceReader) {
        try TraceReading.all(Array(text.utf8), nil)
    }

    @Test("an entry without a time follows the one before it, and is counted") func untimed() throws {
        let (requests, reader) = try read(
            archive(
                entry(at("2026-11-26T10:00:05Z"), path: "c"), entry(at(""), path: "d"),
                entry(at("2026-11-26T10:00:00Z"), path: "a"), entry("", path: "b")))
        #expect(requests.map { $0.url?.last } == ["a", "b", "c", "d"])
        #expect(requests.map { ($0.time ?? 0) - 1_795_687_200 } == [0, 0, 5, 5])
        #expect(requests[1].exchange?.sent == 1_795_687_200 && reader.guesses.times == 2)
        #expect(reader.guesses.warning?.contains("2 entries without a time have that of the entry before") == true)
    }

    @Test("entries before the first that has a time have that, and where none has one they are in their order")
    func untimedFirst() throws {
        let first = try read(archive(entry("", path: "a"), entry(at("2026-11-26T10:00:00Z"), path: "b"))).requests
        #expect(first.map { $0.url?.last } == ["a", "b"] && first[0].time == 1_795_687_200)
        let none = try read(archive(entry("", path: "a"), entry("", path: "b"))).requests
        #expect(none.map { $0.url?.last } == ["a", "b"] && none.map(\.time) == [0, 0])
    }

    @Test("an entry without a method is a GET, and a status, a time or a size may be a text") func method() throws {
        let (requests, reader) = try read(
            archive(entry(at("2026-11-26T10:00:00Z"), method: "", path: "a", status: "\"200\"")))
        #expect(requests.first?.exchange?.method == "GET" && requests.first?.exchange?.status == 200)
        #expect(requests.first?.size == 10 && reader.guesses.methods == 1)
    }

    @Test(
        "dates are read with a space, without a zone, as in HTTP, and as milliseconds",
        arguments: [
            ("\"2026-11-26 10:00:00.000Z\"", 0), ("\"2026-11-26T10:00:00.000\"", 1),
            ("\"2026-11-26 11:00:00 +0100\"", 0),
            ("\"Thu, 26 Nov 2026 10:00:00 GMT\"", 0), ("\"2026-11-26T10:00:00,5\"", 1), ("1795687200000", 0),
            ("\"2026-11-26 10:00:00 UTC\"", 0), ("\"2026-11-26T10:00:00+00\"", 0),
        ])
    func dates(date: String, zones: Int) throws {
        let (requests, reader) = try read(archive(entry("\"startedDateTime\":\(date),", path: "a")))
        #expect(requests.first?.time.map { $0.rounded(.down) } == 1_795_687_200 && reader.guesses.zones == zones)
    }

    @Test("an archive may be wrapped into a call, and `log` need not be its first member") func wrapped() throws {
        let text = archive(entry(at("2026-11-26T10:00:00Z"), path: "a"))
        for text in ["onInputData(\(text));\n", " har ( \(text) )", "{\"a\":1,\(text.dropFirst())"] {
            let (requests, reader) = try read(text)
            #expect(requests.count == 1 && reader.format == .har)
        }
        #expect(TraceReading.message(Array("call(\(text)) x".utf8), .har).contains("something follows"))
        #expect(TraceReading.message(Array("call(\(text)".utf8), .har).contains("ends where ')' is expected"))
    }

    @Test(
        "what is hardly a date is damage, and ends nothing else",
        arguments: [
            "99999999999999999999 Nov 2026 10:00:00 GMT", "2026-02-29 10:00:00", "26 Nov 2026",
            "2026-11-26T10:00:00." + String(repeating: "0", count: 45) + "+01:00",
        ])
    func noDates(date: String) throws {
        let text = archive(entry(at(date), path: "a"), entry(at("2026-11-26T10:00:00Z"), path: "b"))
        let (requests, reader) = try TraceReading.all(Array(text.utf8), nil, skipping: .damage)
        #expect(requests.map { $0.url?.last } == ["b"] && reader.skipped == 1)
        #expect(reader.firstSkipped?.reason.contains("is not of the form 2009-07-24T19:20:30.45+01:00") == true)
    }

    @Test("a text is a number only as a whole", arguments: ["\"200 OK\"", "\"0x10\"", "\"inf\"", "\"\"", "null"])
    func noNumbers(status: String) throws {
        let text = archive(entry(at("2026-11-26T10:00:00Z"), path: "a", status: status))
        #expect(throws: TraceError.self) { try read(text) }
    }

    @Test("the head is received after the phases before the body") func head() throws {
        let text = archive(entry(at("2026-11-26T10:00:00Z"), path: "a")).replacing(
            "\"time\":30,",
            with:
                "\"time\":500,\"timings\":{\"blocked\":-1,\"dns\":5,\"connect\":20,\"ssl\":10,\"send\":1,\"wait\":74,\"receive\":400},"
        )
        let exchange = try read(text).requests.first?.exchange
        #expect(exchange?.duration == 0.5 && exchange?.headDelay == 0.1)
    }

    @Test("what is no archive at all cannot be skipped, unlike damage inside one") func noArchive() throws {
        func isSkippable(_ text: String) -> Bool? {
            let error = #expect(throws: TraceError.self) { try TraceReading.all(text, .har) }
            return error?.isSkippable
        }
        #expect(isSkippable("a - - GET /") == false)
        #expect(isSkippable(#"{"log":{"entries":[{]}}"#) == true)
    }

    @Test("where more was skipped than read, that is an error of the whole") func loss() throws {
        let blocked = entry(at("2026-11-26T10:00:00Z"), path: "x", status: "0")
        let good = entry(at("2026-11-26T10:00:00Z"), path: "a")
        let text = archive(blocked, good, blocked, blocked, blocked)
        let reader = try TraceReading.all(Array(text.utf8), nil, skipping: .noise).reader
        #expect(reader.loss?.reason.contains("4 lines or entries against 1 requests") == true)
        let half = archive(blocked, good, blocked, good)
        #expect(try TraceReading.all(Array(half.utf8), nil, skipping: .noise).reader.loss == nil)
    }

    @Test("what was no request of HTTP is skipped and counted, and is no loss") func foreign() throws {
        let urls = [
            "data:image/png;base64,AA", "blob:https://a.example/u", "chrome-extension://x/y.js", "wss://a.example/",
            "WS://a.example/", "about:blank", "file:///a",
        ]
        let good = [entry(at("2026-11-26T10:00:00Z"), path: "a"), entry(at("2026-11-26T10:00:00Z"), path: "b:c")]
        let capital = good[0].replacing("https:", with: "HTTPS:")
        let foreign = urls.map { good[0].replacing("https://a.example/a", with: $0) }
        let text = "{\"log\":{\"entries\":[\((foreign + good + [capital]).joined(separator: ","))]}}"
        let (requests, reader) = try TraceReading.all(Array(text.utf8), nil, skipping: .noise)
        #expect(requests.map(\.url) == ["https://a.example/a", "https://a.example/b:c", "HTTPS://a.example/a"])
        #expect(reader.skipped == 7 && reader.loss == nil)
        #expect(reader.skipWarning?.contains("\"data:image/png;base64,AA\" is not a request of HTTP") == true)
        #expect(throws: TraceError.self) { try read(text) }
    }
}
