import HTTPCache
import LoopbackOrigin
import Testing
import VirtualOrigin

@testable import URLCaching

@Suite(.timeLimit(.minutes(60))) struct RequestRecorderTests {
    private struct Line: Decodable {
        struct Request: Decodable {
            let method, uri: String
        }
        let ts: Double
        let request: Request
        let status: Int
        let size: Int?
        let resp_headers: [String: [String]]
    }

    private func lines(_ recorder: RequestRecorder) throws -> [Line] {
        try recorder.trace().split(separator: 0x0A).map { try JSONDecoder().decode(Line.self, from: Data($0)) }
    }

    private func response(_ url: String, _ fields: [String: String]) -> HTTPURLResponse? {
        URL(string: url).flatMap { HTTPURLResponse(url: $0, statusCode: 200, httpVersion: nil, headerFields: fields) }
    }

    private func cache(_ recorder: RequestRecorder) -> ResponseCache {
        ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil, recorder: recorder)
    }

    @Test("recordings under a kept key name the same URL alike, and without one they do not") func keptKey() throws {
        func name(_ keys: RequestRecorder.Keys) throws -> String? {
            let recorder = RequestRecorder(keys: keys)
            let url = "https://a.example/x"
            let answer = try #require(response(url, ["Cache-Control": "max-age=60"]))
            cache(recorder).storeCachedResponse(
                CachedURLResponse(response: answer, data: Data("x".utf8)),
                for: URLRequest(url: try #require(URL(string: url))))
            return try lines(recorder).first?.request.uri
        }
        let key = RecordingKey()
        let kept = try #require(RecordingKey(key.bytes))
        #expect(kept == key && key.bytes.count == RecordingKey.count && RecordingKey([1, 2]) == nil)
        #expect(try name(.hashedUnder(key)) == name(.hashedUnder(kept)))
        #expect(try name(.hashedUnder(key)) != name(.hashedUnder(RecordingKey())))
        #expect(try name(.hashed) != name(.hashed))
    }

    @Test("a cache records its stores and hits, with sizes and the fields that decide about caching")
    func caches() throws {
        let recorder = RequestRecorder(keys: .plain)
        let cache = cache(recorder)
        let url = "https://a.example/x?q"
        let request = URLRequest(url: try #require(URL(string: url)))
        _ = cache.cachedResponse(for: request)
        let answer = try #require(response(url, ["Cache-Control": "max-age=60", "Set-Cookie": "secret=1"]))
        let stored = CachedURLResponse(response: answer, data: Data(count: 500))
        cache.storeCachedResponse(stored, for: request)
        for _ in 0..<3 { _ = cache.cachedResponse(for: request) }
        let lines = try lines(recorder)
        #expect(lines.count == 4 && recorder.requestCount == 4)
        #expect(lines.allSatisfy { $0.request.uri == url && $0.size == 500 && $0.status == 200 })
        #expect(lines.allSatisfy { $0.resp_headers == ["Cache-Control": ["max-age=60"]] })
    }

    @Test("a hit whose answer the recorder has forgotten is recorded with the response, and a HEAD not at all")
    func forgotten() throws {
        let recorder = RequestRecorder(keys: .plain)
        let cache = cache(recorder)
        let url = "https://a.example/x"
        var request = URLRequest(url: try #require(URL(string: url)))
        let answer = try #require(response(url, ["Cache-Control": "max-age=60"]))
        cache.storeCachedResponse(CachedURLResponse(response: answer, data: Data(count: 5)), for: request)
        recorder.removeAll()
        for count in 1...2 {
            #expect(cache.cachedResponse(for: request) != nil)
            #expect(recorder.requestCount == count)
        }
        #expect(try lines(recorder).map(\.size) == [5, 5] && lines(recorder).map(\.request.uri) == [url, url])
        request.httpMethod = "HEAD"
        #expect(cache.cachedResponse(for: request) != nil && recorder.requestCount == 2)
    }

    @Test("the file holds the trace, in place of what was there, and a file that cannot be written is an error")
    func file() throws {
        let recorder = RequestRecorder(keys: .plain)
        let file = FileManager.default.temporaryDirectory.appending(path: "Trace-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        for url in ["https://a.example/x", "https://a.example/y"] {
            recorder.note(
                url, RecordedAnswer(method: "GET", status: 200, size: 1, requestFields: [:], responseFields: [:]),
                at: CacheTime(microseconds: 1_500_000))
            try recorder.write(to: file)
            #expect(try Data(contentsOf: file) == Data(recorder.trace()))
        }
        let lines = ["x", "y"].map { name in
            #"{"ts":1.500000,"request":{"method":"GET","uri":"https://a.example/\#(name)","headers":{}},"#
                + #""status":200,"size":1,"resp_headers":{}}"# + "\n"
        }
        #expect(String(decoding: recorder.trace(), as: UTF8.self) == lines.joined())
        #expect(throws: (any Error).self) { try recorder.write(to: file.appending(path: "below")) }
    }

    @Test("a session records every answer, from the origin and from the cache") func sessions() async throws {
        let recorder = RequestRecorder(keys: .plain)
        let bench = try SessionBench { $0.recorder = recorder }
        bench.serve(OriginResource("hello", [("Cache-Control", "max-age=60")]))
        for second in [0, 3, 7] as [Int64] {
            bench.at(second)
            _ = try await bench.get()
        }
        _ = try await bench.get(method: "POST")
        let lines = try lines(recorder)
        #expect(lines.map(\.request.method) == ["GET", "GET", "GET", "POST"])
        #expect(lines.prefix(3).allSatisfy { $0.size == 5 && $0.status == 200 })
        // By the session's clock.
        #expect(lines.map { $0.ts - Double(SessionBench.start) } == [0, 3, 7, 7])
        #expect(lines.prefix(3).allSatisfy { $0.resp_headers["Cache-Control"] == ["max-age=60"] })
    }

    @Test("of a request the fields about caching are recorded, and no other") func requestFields() async throws {
        let recorder = RequestRecorder(keys: .plain)
        let bench = try SessionBench { $0.recorder = recorder }
        bench.serve(OriginResource("hello"))
        let fields = ["cache-control": "no-cache", "Pragma": "no-cache", "Range": "bytes=0-1", "Cookie": "a=b"]
        _ = try await bench.get("/a", fields)
        let line = try #require(try JSONSerialization.jsonObject(with: Data(recorder.trace())) as? [String: Any])
        let request = try #require(line["request"] as? [String: Any])
        let names = (request["headers"] as? [String: Any])?.keys.map { $0.lowercased() }
        #expect(names?.sorted() == ["cache-control", "pragma", "range"])
    }

    @Test("a HEAD that a cache answers from a GET is not recorded as a GET") func headOfCache() throws {
        let recorder = RequestRecorder(keys: .plain)
        let cache = cache(recorder)
        let url = try #require(URL(string: "https://a.example/x"))
        var request = URLRequest(url: url)
        cache.storeCachedResponse(
            CachedURLResponse(response: try #require(response("https://a.example/x", [:])), data: Data()), for: request)
        request.httpMethod = "HEAD"
        #expect(cache.cachedResponse(for: request) != nil && recorder.requestCount == 1)
    }

    @Test("the answer to another method is recorded, and is not that of a later hit") func otherMethods() {
        let recorder = RequestRecorder()
        let time = SystemClock().now
        let post = RecordedAnswer(method: "POST", status: 200, size: 1, requestFields: .init(), responseFields: .init())
        recorder.note("https://a.example/", post, at: time)
        #expect(recorder.requestCount == 1 && !recorder.noteHit("https://a.example/", status: 200, size: 1, at: time))
    }

    @Test("an answer counts with its texts, 64 bytes for each of their lists and 128 for itself") func weight() {
        var answer = RecordedAnswer(
            method: "GET", status: 200, size: 1, requestFields: ["Pragma": "no-cache"],
            responseFields: ["Age": "1", "Vary": "*"])
        answer.url = "https://a.example/"
        #expect(answer.byteCount == 18 + 128 + (64 + 6 + 8) + (64 + 3 + 1) + (64 + 4 + 1))
    }

    @Test("the limit holds to the byte", arguments: [0, 1])
    func exactLimit(excess: Int) {
        var answer = RecordedAnswer(
            method: "GET", status: 200, size: 1, requestFields: .init(), responseFields: .init())
        answer.url = "https://a.example/"
        let needed = answer.byteCount + 64 + 2 * 16
        let recorder = RequestRecorder(keys: .plain, byteLimit: needed - excess)
        for _ in 0..<2 { recorder.note(answer.url, answer, at: SystemClock().now) }
        #expect(recorder.requestCount == 2 - excess && recorder.droppedCount == excess)
    }

    @Test("a part of a stored body is recorded with its own size") func parts() async throws {
        let recorder = RequestRecorder(keys: .plain)
        let bench = try SessionBench { $0.recorder = recorder }
        bench.serve(OriginResource("0123456789", [("Cache-Control", "max-age=60")]))
        _ = try await bench.get()
        _ = try await bench.get("/a", ["Range": "bytes=2-4"])
        #expect(try lines(recorder).map(\.size) == [10, 3])
        #expect(try lines(recorder).map(\.status) == [200, 206])
    }

    @Test("a hit is recorded as the stored response, whatever else the URL was answered with in between")
    func hitAfterOther() async throws {
        let recorder = RequestRecorder(keys: .plain)
        let bench = try SessionBench { $0.recorder = recorder }
        let resource = OriginResource("0123456789", [("Cache-Control", "max-age=60"), ("ETag", "\"1\"")])
        bench.serve(resource)
        for fields in [[:], ["Range": "bytes=2-4"], [:], ["If-None-Match": "\"1\""], [:]] as [[String: String]] {
            _ = try await bench.get("/a", fields)
        }
        bench.origin.reply { _ in OriginReply(status: 500, text: "no") }
        _ = try await bench.get("/a", policy: .reloadIgnoringLocalCacheData)
        _ = try await bench.get()
        #expect(bench.origin.count() == 2)
        #expect(try lines(recorder).map(\.status) == [200, 206, 200, 304, 200, 500, 200])
        #expect(try lines(recorder).map(\.size) == [10, 3, 10, 0, 10, 2, 10])
        let trace = String(decoding: recorder.trace(), as: UTF8.self)
        #expect(trace.split(separator: "\n").filter { $0.contains("bytes=2-4") }.count == 1)
    }

    @Test("a redirection that a delegate does not follow is recorded") func refusedRedirection() async throws {
        let recorder = RequestRecorder(keys: .plain)
        let bench = try SessionBench(delegate: Staying()) { $0.recorder = recorder }
        bench.origin.reply { _ in OriginReply(status: 302, [("Location", "/b")], text: "moved") }
        #expect(try await bench.get().status == 302)
        #expect(try lines(recorder).map(\.status) == [302] && lines(recorder).map(\.size) == [5])
    }

    @Test("hashed keys tell URLs apart and say nothing of them") func hashed() throws {
        let recorder = RequestRecorder()
        // Of so many hashes some begin with zeros.
        for path in ["a", "b", "a"] + (0..<200).map({ "\($0)" }) {
            let answer = RecordedAnswer(
                method: "GET", status: 200, size: 1, requestFields: .init(), responseFields: .init())
            recorder.note("https://secret.example/\(path)", answer, at: SystemClock().now)
        }
        let keys = try lines(recorder).map(\.request.uri)
        #expect(keys[0] == keys[2] && keys[0] != keys[1])
        let digits = keys[0].dropFirst("https://recorded.invalid/".count)
        #expect(digits.count == 32 && digits.prefix(16) != digits.suffix(16), "128 bits of a hash")
        #expect(keys.allSatisfy { $0.wholeMatch(of: /https:\/\/recorded\.invalid\/[0-9a-f]{32}/) != nil })
        #expect(keys.allSatisfy { $0.hasPrefix("https://recorded.invalid/") && !$0.contains("secret") })
    }

    @Test("memory is bounded: what comes after the limit is counted and dropped", arguments: [0, 300, 5_000])
    func bounded(limit: Int) throws {
        let recorder = RequestRecorder(byteLimit: limit)
        for number in 0..<1_000 {
            let answer = RecordedAnswer(
                method: "GET", status: 200, size: number, requestFields: .init(), responseFields: .init())
            recorder.note("https://a.example/\(number % 7)", answer, at: SystemClock().now)
        }
        #expect(recorder.requestCount + recorder.droppedCount == 1_000)
        #expect(recorder.requestCount * 16 <= limit)
        recorder.removeAll()
        #expect(recorder.requestCount == 0 && recorder.trace().isEmpty)
    }

    @Test("hits of one answer count against the limit as well") func boundedHits() {
        let recorder = RequestRecorder(byteLimit: 1_000)
        let answer = RecordedAnswer(
            method: "GET", status: 200, size: 1, requestFields: .init(), responseFields: .init())
        for _ in 0..<200 { recorder.note("https://a.example/", answer, at: SystemClock().now) }
        #expect(recorder.requestCount > 10 && recorder.requestCount <= 1_000 / 16)
        #expect(recorder.requestCount + recorder.droppedCount == 200)
    }

    @Test("many keys are told apart, and any thread may record") func threads() throws {
        let recorder = RequestRecorder(keys: .plain)
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for number in 0..<500 {
                let url = "https://a.example/\(number % 250)"
                let answer = RecordedAnswer(
                    method: "GET", status: 200, size: number % 250, requestFields: .init(), responseFields: .init())
                let now = SystemClock().now
                if number % 2 == 0 || !recorder.noteHit(url, status: answer.status, size: answer.size ?? 0, at: now) {
                    recorder.note(url, answer, at: now)
                }
            }
        }
        let lines = try lines(recorder)
        #expect(lines.count == 2_000)
        #expect(lines.allSatisfy { $0.request.uri == "https://a.example/\($0.size ?? -1)" })
    }

    @Test("requests come back in their order, however many there are, and a copy does not change") func order() {
        var chunks = RequestChunks()
        var copies: [RequestChunks] = []
        for number in 0..<10_000 {
            if number % 2_048 == 0 { copies.append(chunks) }
            chunks.append(.init(time: Int64(number), answer: UInt32(number % 3)))
        }
        for (copy, count) in zip(copies + [chunks], [0, 2_048, 4_096, 6_144, 8_192, 10_000]) {
            var times: [Int64] = []
            copy.forEach { times.append($0.time) }
            #expect(times == (0..<count).map(Int64.init))
            #expect(copy.count == count)
        }
    }
}

/// Follows no redirection.
private final class Staying: CachingSessionDelegate {
    func session(
        _ session: CachingSession, willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest
    ) async -> URLRequest? { nil }
}
