import Testing

@testable import GaugeMeasurement
@testable import GaugeKit
@testable import GaugeTraces

/// Replays of traces with HTTP fields, with caching rules made for the test.
@Suite("Replay with HTTP caching rules") struct HTTPReplayTests {
    /// `fresh=N` in the first response field is the lifetime; `no` forbids storing. Only GET is answered.
    fileprivate struct Rules: CachingRules {
        func verdict(on exchange: HTTPExchange) -> CachingVerdict {
            let value = exchange.responseFields.first.map { String(decoding: $0.value, as: UTF8.self) } ?? "no"
            let isReload = exchange.requestFields.first?.name == Array("reload".utf8)
            return CachingVerdict(
                mayBeAnswered: exchange.method == "GET" && !isReload,
                freshSeconds: exchange.method == "GET" ? Int64(value) : nil,
                invalidates: exchange.method == "POST" || exchange.method == "GET" && exchange.supersedes)
        }
    }

    fileprivate func entry(
        _ seconds: Int, _ fresh: String, method: String = "GET", isReload: Bool = false, size: Int = 100,
        status: Int = 200, path: String = ""
    ) -> String {
        let reload = isReload ? "{\"name\":\"reload\",\"value\":\"\"}" : ""
        return """
            {"startedDateTime":"2026-11-21T10:00:\(seconds < 10 ? "0" : "")\(seconds)Z","time":0,
            "request":{"method":"\(method)","url":"https://a.example/\(path)","headers":[\(reload)]},
            "response":{"status":\(status),"headers":[{"name":"fresh","value":"\(fresh)"}],"content":{"size":\(size)}}}
            """
    }

    fileprivate func replay(_ entries: String...) throws -> ReplayResult {
        let text = "{\"log\":{\"entries\":[\(entries.joined(separator: ","))]}}"
        var settings = ReplaySettings(
            configuration: SubjectConfiguration(memoryCapacity: 1 << 20, diskCapacity: 0, directory: ""), seed: 1)
        settings.rules = Rules()
        let answers = Answers()
        var reader = try TraceReader(TraceInput(name: "t", bytes: Array(text.utf8)))
        let result = try Replay.run(HonestSubject.self, &reader, settings: settings, answers: answers)
        #expect(answers.count == 0)
        if let bounds = result.bounds {
            #expect(bounds.infinite.hits >= result.counts.hits && bounds.footprint?.hits ?? 0 >= result.counts.hits)
        }
        return result
    }

    @Test("a stored response is hit while it is fresh, and a miss stores it again") func expiry() throws {
        let result = try replay(entry(0, "10"), entry(9, "10"), entry(10, "10"), entry(19, "10"), entry(20, "10"))
        #expect(result.counts.hits == 2 && result.counts.misses == 3 && result.expired == 2)
        #expect(result.bounds?.infinite.hits == 2 && result.bounds?.hasExpiry == true)
    }

    @Test("a response that may not be stored removes the stored one") func unstorable() throws {
        let result = try replay(
            entry(0, "no"), entry(1, "no"), entry(2, "5"), entry(3, "no"), entry(9, "no"), entry(10, "no"))
        #expect(result.counts.hits == 1 && result.unstorable == 4 && result.expired == 1)
    }

    @Test("a request that wants the origin is a miss, and stores") func reload() throws {
        let result = try replay(entry(0, "5"), entry(4, "5", isReload: true), entry(8, "5"))
        #expect(result.counts.hits == 1 && result.unanswerable == 1)
    }

    @Test("other methods pass the cache by, and an unsafe one ends what is stored") func methods() throws {
        let passing = try replay(entry(0, "50"), entry(1, "50", method: "HEAD"), entry(2, "50"))
        #expect(passing.passed == 1 && passing.counts.hits == 1)
        let ending = try replay(entry(0, "50"), entry(1, "50", method: "POST"), entry(2, "50"))
        #expect(ending.passed == 1 && ending.counts.hits == 0)
    }

    @Test("objects that are passed by are no trouble for those that come later") func passedFirst() throws {
        let result = try replay(
            entry(0, "50", method: "HEAD", path: "a"), entry(1, "50", method: "HEAD", path: "b"),
            entry(2, "50", path: "c"),
            entry(3, "50", path: "c"), entry(4, "50", path: "a"), entry(5, "50", path: "a"))
        #expect(result.passed == 2 && result.counts.hits == 2 && result.bounds?.infinite.hits == 2)
    }

    @Test("a request that bypasses the cache does not change the size of the stored response")
    func passedSize() throws {
        // For example a failed request: it invalidates nothing.
        let result = try replay(
            entry(0, "50"), entry(1, "50", method: "PUT", size: 7), entry(2, "50"),
            entry(3, "50", method: "PUT", size: 7),
            entry(4, "50", size: 7))
        #expect(result.passed == 2 && result.counts.hits == 1 && result.outdated == 1 && result.counts.wrong == 0)
        #expect(result.bounds?.infinite.hits == 1)
    }

    @Test("the rules of thumb store a GET answered with 200, and nothing else") func rulesOfThumb() throws {
        let log = """
            h - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 100
            h - - [10/Oct/2000:13:55:37 -0700] "GET /a HTTP/1.1" 304 -
            h - - [10/Oct/2000:13:55:37 -0700] "GET /a HTTP/1.1" 200 100
            h - - [10/Oct/2000:13:55:38 -0700] "GET /b HTTP/1.1" 404 100
            h - - [10/Oct/2000:13:55:38 -0700] "GET /b HTTP/1.1" 404 100

            """
        var reader = try TraceReader(TraceInput(name: "t", bytes: Array(log.utf8)))
        let result = try Replay.run(
            HonestSubject.self, &reader,
            settings: ReplaySettings(
                configuration: SubjectConfiguration(memoryCapacity: 1 << 20, diskCapacity: 0, directory: ""), seed: 1),
            answers: Answers())
        #expect(result.counts.hits == 2 && result.unstorable == 2)
    }

    @Test("a 304 stands for the stored response, in an archive and in a log") func confirmation() throws {
        let log = """
            h - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 304 -
            h - - [10/Oct/2000:13:55:37 -0700] "GET /a HTTP/1.1" 304 -
            h - - [10/Oct/2000:13:55:38 -0700] "POST /a HTTP/1.1" 304 -
            h - - [10/Oct/2000:13:55:38 -0700] "GET /a HTTP/1.1" 200 4096

            """
        var reader = try TraceReader(TraceInput(name: "t", bytes: Array(log.utf8)))
        let result = try Replay.run(
            HonestSubject.self, &reader,
            settings: ReplaySettings(
                configuration: SubjectConfiguration(memoryCapacity: 1 << 20, diskCapacity: 0, directory: ""), seed: 1),
            answers: Answers())
        #expect(result.counts.hits == 1 && result.passed == 1)
        let archive = try replay(entry(0, "50", status: 304), entry(1, "50", status: 304), entry(2, "no", status: 304))
        #expect(archive.counts.hits == 2)
    }

    @Test("an error on the way and a part leave the stored response and its size as they are") func errors() throws {
        let result = try replay(
            entry(0, "5"), entry(6, "no", size: 7, status: 500), entry(7, "5"), entry(8, "no", size: 7, status: 503),
            entry(9, "no", size: 9, status: 206), entry(10, "5"))
        #expect(result.unstorable == 1 && result.expired == 2 && result.counts.hits == 3 && result.outdated == 0)
    }

    @Test("a response that expires leaves the others fresh that were stored before it") func othersStayFresh() throws {
        let forever = String(Int64.max)
        let result = try replay(
            entry(0, forever, path: "a"), entry(1, forever, path: "b"), entry(2, "5", path: "c"),
            entry(30, forever, path: "a"), entry(31, forever, path: "b"), entry(32, "5", path: "c"))
        #expect(result.counts.hits == 2 && result.expired == 1)
    }

    @Test("requests that pass the cache by are no part of the bounds") func passed() throws {
        let entries = [entry(0, "9"), entry(1, "no", method: "HEAD"), entry(2, "9"), entry(3, "no", method: "PUT")]
        let text = "{\"log\":{\"entries\":[\(entries.joined(separator: ","))]}}"
        var settings = ReplaySettings(
            configuration: SubjectConfiguration(memoryCapacity: 1 << 20, diskCapacity: 0, directory: ""), seed: 1)
        settings.rules = Rules()
        let reader = try TraceReader(TraceInput(name: "t", bytes: Array(text.utf8)))
        var requests = DecidedRequests(reader, settings.accessRules, ReuseLog())
        var passed: [Bool] = []
        while let (_, access) = try requests.next() { passed.append(access.isPassed) }
        #expect(passed == [false, true, false, true])
        #expect(requests.takeLog()?.count == 2 && requests.takeLog()?.count == nil)
    }
}

extension HTTPReplayTests {
    /// A request that takes half a second, of which the head takes a tenth.
    private func slow(_ milliseconds: Int, fresh: String) -> String {
        let digits = "\(milliseconds)"
        let fraction = String(repeating: "0", count: 3 - digits.count) + digits
        return entry(0, fresh).replacing("10:00:00Z", with: "10:00:00.\(fraction)Z").replacing(
            "\"time\":0", with: "\"time\":500,\"timings\":{\"send\":0,\"wait\":100,\"receive\":400}")
    }

    @Test("what is stale at once is never a hit, not while it is under way either") func staleAtOnce() throws {
        let result = try replay(slow(0, fresh: "0"), slow(50, fresh: "0"), slow(200, fresh: "0"), slow(700, fresh: "0"))
        #expect(result.counts.hits == 0 && result.counts.misses == 4 && result.shared == 0)
        #expect(result.bounds?.infinite.hits == 0 && result.bounds?.footprint?.hits == 0)
    }

    @Test("a fresh response is shared before its head is there, counted apart, and a hit from then on")
    func underWay() throws {
        let result = try replay(slow(0, fresh: "9"), slow(50, fresh: "9"), slow(99, fresh: "9"), slow(200, fresh: "9"))
        #expect(result.counts.hits == 3 && result.shared == 2)
    }

    @Test("a simulation of the same counts the same") func simulated() throws {
        let entries = [slow(0, fresh: "9"), slow(50, fresh: "9"), slow(200, fresh: "9"), slow(300, fresh: "0")]
        let text = "{\"log\":{\"entries\":[\(entries.joined(separator: ","))]}}"
        var reader = try TraceReader(TraceInput(name: "t", bytes: Array(text.utf8)))
        var rules = AccessRules(sizes: BodySizes(.oneSize, seed: 1), urls: RequestURLs(seed: 1))
        rules.caching = Rules()
        var maker = MissRatioCurveMaker(unit: .bytes, capacities: [1 << 20], usesDistances: false)
        let first = try #require(try reader.next())
        try maker.read(&reader, first: first, &rules) { false }
        let curve = maker.curve()
        #expect(curve.points[0].sum.hits == 3 && curve.shared == 1)
    }

    @Test("bounds leave out URLs that the cache takes no key from") func refused() throws {
        let text =
            "{\"log\":{\"entries\":[\(entry(0, "9")),\(entry(1, "9")),\(entry(2, "9", path: "x")),\(entry(3, "9", path: "x"))]}}"
        var settings = ReplaySettings(
            configuration: SubjectConfiguration(memoryCapacity: 1 << 20, diskCapacity: 0, directory: ""), seed: 1)
        settings.rules = Rules()
        settings.admission.keyBytes = { $0.hasSuffix("x") ? nil : $0.utf8.count }
        var reader = try TraceReader(TraceInput(name: "t", bytes: Array(text.utf8)))
        let result = try Replay.run(HonestSubject.self, &reader, settings: settings, answers: Answers())
        #expect(result.bounds?.infinite.hits == 1)
    }
}
