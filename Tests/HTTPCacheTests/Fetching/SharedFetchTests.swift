import HTTPCache
import HTTPSemantics
import Testing
import VirtualOrigin

/// Concurrent misses of one key make one request (C14).
@Suite struct SharedFetchTests {
    let bench: Bench

    init() throws {
        bench = try Bench()
        bench.reply(["Cache-Control": "max-age=60"], body: "shared")
    }

    @Test("ten concurrent misses of one key make one request, and all get its answer") func misses() {
        bench.origin.hold()
        let all = (0..<10).map { _ in bench.start() }
        #expect(bench.requestCount == 1)
        bench.origin.release()
        bench.executor.drain()
        for one in all { #expect(one.value?.body == "shared" && one.value?.source == .fetched) }
        #expect(bench.requestCount == 1)
    }

    @Test(
        "only requests that any recent answer satisfies share a fetch",
        arguments: [
            (.useProtocolCachePolicy, nil, 1), (.returnCacheDataElseLoad, nil, 1),
            (.reloadIgnoringLocalCacheData, nil, 2),
            (.reloadIgnoringLocalAndRemoteCacheData, nil, 2), (.reloadRevalidatingCacheData, nil, 2),
            (.useProtocolCachePolicy, "no-cache", 2), (.useProtocolCachePolicy, "no-store", 2),
            (.useProtocolCachePolicy, "max-age=10", 2), (.useProtocolCachePolicy, "no-transform", 1),
        ] as [(RequestPolicy, String?, Int)])
    func sharing(policy: RequestPolicy, control: String?, count: Int) {
        bench.origin.hold()
        var fields = HTTPFields()
        fields["Cache-Control"] = control
        let both = (0..<2).map { _ in bench.start(fields, policy: policy) }
        #expect(bench.requestCount == count)
        bench.origin.release()
        bench.executor.drain()
        for one in both { #expect(one.value?.body == "shared") }
    }

    /// Fields by which an origin may tell two requests apart.
    static let differences: [HTTPFields] = [
        ["Authorization": "b"], ["Cookie": "b"], ["Accept": "b"], ["X-Tenant": "b"], ["Referer": "b"],
        ["Cache-Control": "no-transform"],
    ]

    @Test("requests that differ in a field go out at once, each for its own answer", arguments: differences)
    func different(fields: HTTPFields) {
        bench.origin.reply { request in
            .init(HTTPResponse(), chunks: [Array((request.headerFields.fields.first?.value ?? "none").utf8)])
        }
        bench.origin.hold()
        let all = [[:], fields, [:], fields].map { bench.start($0) }
        #expect(bench.requestCount == 2)
        bench.origin.release()
        bench.executor.drain()
        let own = fields.fields[0].value
        #expect(all.map { $0.value?.body } == ["none", own, "none", own])
    }

    @Test(
        "one who differs and comes while the body is arriving gets it only if the store would give it to him",
        arguments: [
            ("max-age=60", nil, 1), ("private, max-age=60", nil, 1), ("max-age=60", "Accept", 2),
            ("max-age=60", "X", 1),
            ("max-age=60", "*", 2), ("max-age=0", nil, 2), ("no-cache", nil, 2), ("no-store", nil, 2),
        ] as [(String, String?, Int)])
    func differentAndLate(control: String, vary: String?, requests: Int) {
        bench.origin.reply { _ in
            var fields: HTTPFields = ["Cache-Control": .init(control)]
            fields["Vary"] = vary
            return .init(HTTPResponse(headerFields: fields), chunks: [[0x61], [0x62]])
        }
        bench.origin.hold(bodies: true)
        _ = bench.start(["Accept": "a"])
        bench.origin.release(1)
        bench.executor.drain()
        let late = bench.start(["Accept": "b"])
        for _ in 0..<3 {
            bench.origin.release()
            bench.executor.drain()
        }
        #expect(bench.requestCount == requests)
        #expect(late.value?.body == "ab")
    }

    @Test("one who comes while the body is arriving does not share it where the application is asked about storing")
    func lateWithHook() throws {
        let bench = try Bench { options in options.willStore = { _, _ in nil } }
        bench.origin.reply { _ in
            .init(HTTPResponse(headerFields: ["Cache-Control": "max-age=60"]), chunks: [[0x61], [0x62]])
        }
        bench.origin.hold(bodies: true)
        _ = bench.start()
        bench.origin.release(1)
        bench.executor.drain()
        _ = bench.start()
        #expect(bench.requestCount == 2)
    }

    @Test("an answer that was made for one account, by its status or by what the transport says, is not shared")
    func personal() throws {
        for (status, isPersonal) in [(401, false), (407, false), (200, true)] {
            let transport = PersonalTransport(bench.origin, isPersonal: isPersonal)
            let engine = CacheEngine(
                responses: bench.store, transport: transport, clock: bench.clock, options: bench.engine.options)
            bench.reply(status: status)
            let before = bench.requestCount
            bench.origin.hold()
            let all = (0..<3).map { number in
                let request = CacheRequest(HTTPRequest(url: "https://example.org/\(status)"))
                return bench.executor.start { try await Seen(engine.respond(to: request)) }
            }
            bench.executor.drain()
            #expect(bench.requestCount - before == 1)
            bench.origin.release()
            bench.executor.drain()
            #expect(all.map { $0.value?.status } == [status, status, status])
            #expect(bench.requestCount - before == 3)
        }
    }

    @Test("equal requests share an answer that may not be stored, unless it says no-store", arguments: [403, 500, 302])
    func unstorable(status: Int) {
        bench.reply(status: status, body: "shared")
        bench.origin.hold()
        let all = (0..<5).map { _ in bench.start() }
        bench.origin.release()
        bench.executor.drain()
        #expect(bench.requestCount == 1)
        for one in all { #expect(one.value?.body == "shared" && one.value?.status == status) }
    }

    @Test(
        "what the origin is asked after an unsafe request is not what it was asked before",
        arguments: ["POST", "DELETE"])
    func afterUnsafe(method: String) {
        bench.origin.hold()
        let before = bench.start()
        _ = bench.start(method: method, url: "https://example.org/login")
        bench.reply(status: 403)
        bench.origin.releaseLatest()
        bench.executor.drain()
        bench.reply(["Cache-Control": "max-age=60"], body: "shared")
        let after = bench.start()
        #expect(bench.requestCount == 3)
        bench.origin.release()
        bench.executor.drain()
        #expect(before.value?.body == "shared" && after.value?.body == "shared")
    }

    @Test("one who comes while the body is still arriving gets all of it, without a request") func joiningLate() {
        bench.origin.reply { _ in
            .init(HTTPResponse(headerFields: ["Cache-Control": "max-age=60"]), chunks: [[0x61], [0x62], [0x63]])
        }
        bench.origin.hold(bodies: true)
        let first = bench.start()
        bench.origin.release(1)
        bench.executor.drain()
        bench.origin.release(1)
        bench.executor.drain()
        let second = bench.start()
        bench.origin.release()
        bench.executor.drain()
        #expect(first.value?.body == "abc")
        #expect(second.value?.body == "abc")
        #expect(bench.requestCount == 1)
    }

    @Test(
        "one who comes while the body is arriving shares it only while it is fresh, and is told its age",
        arguments: [
            ("max-age=60", 30, 1), ("max-age=60", 60, 2), ("max-age=5, must-revalidate", 59, 2), ("no-cache", 0, 2),
            ("max-age=0", 0, 2),
        ])
    func reuseOfArriving(control: String, seconds: Int64, requests: Int) {
        bench.origin.reply { _ in
            .init(HTTPResponse(headerFields: ["Cache-Control": control, "ETag": "\"1\""]), chunks: [[0x61], [0x62]])
        }
        bench.origin.hold(bodies: true)
        let first = bench.start()
        bench.origin.release(1)
        bench.executor.drain()
        bench.at(seconds)
        let second = bench.start()
        bench.origin.release()
        bench.executor.drain()
        bench.origin.release()
        bench.executor.drain()
        #expect(bench.requestCount == requests)
        #expect(first.value?.body == "ab" && second.value?.body == "ab")
        #expect(first.value?.fields["Age"] == nil)
        #expect(second.value?.fields["Age"] == (requests == 1 ? "30" : nil))
    }

    @Test("those who wait for the header share whatever comes", arguments: ["max-age=0", "no-cache", "private"])
    func reuseOfAwaited(control: String) {
        bench.reply(["Cache-Control": .init(control)])
        bench.origin.hold()
        let all = (0..<2).map { _ in bench.start(policy: .useProtocolCachePolicy) }
        bench.origin.release()
        bench.executor.drain()
        for one in all { #expect(one.value?.status == 200) }
        #expect(bench.requestCount == 1)
    }

    @Test("cancelling one waiter, the first one too, cancels nobody else", arguments: [0, 1])
    func cancellingOne(which: Int) {
        bench.origin.hold()
        let all = (0..<3).map { _ in bench.start() }
        all[which].cancel()
        bench.executor.drain()
        #expect(all[which].error as? EngineError != nil)
        #expect(bench.origin.cancelled == 0)
        bench.origin.release()
        bench.executor.drain()
        for (index, one) in all.enumerated() where index != which { #expect(one.value?.body == "shared") }
        #expect(bench.requestCount == 1)
    }

    @Test("an answer that is not stored goes to those who wait, also where the first one has left before it came")
    func firstLeaves() {
        bench.reply(status: 403, body: "shared")
        bench.origin.hold()
        let all = (0..<3).map { _ in bench.start() }
        all[0].cancel()
        bench.executor.drain()
        all[2].cancel()
        bench.executor.drain()
        bench.origin.release()
        bench.executor.drain()
        #expect(all[1].value?.body == "shared")
        #expect(bench.requestCount == 1 && bench.origin.cancelled == 0)
    }

    @Test("the last one to leave cancels the fetch, and the next request makes another") func cancellingAll() {
        bench.origin.hold()
        let all = (0..<3).map { _ in bench.start() }
        for one in all { one.cancel() }
        bench.executor.drain()
        #expect(bench.origin.cancelled == 1)
        let next = bench.start()
        bench.origin.release()
        bench.executor.drain()
        #expect(next.value?.body == "shared")
        #expect(bench.requestCount == 2)
    }

    @Test("a fetch that everybody has left does not hide the next one from those who come after")
    func abandonedFetchEndsLate() {
        bench.origin.hold()
        let first = bench.start()
        // Not drained: the second one begins before the end of the first one's fetch.
        first.cancel()
        let others = (0..<2).map { _ in bench.start() }
        #expect(bench.requestCount == 2)
        bench.origin.release()
        bench.executor.drain()
        for one in others { #expect(one.value?.body == "shared") }
    }

    @Test("letting go of a body before its end cancels the fetch, and nothing is stored") func lettingGo() {
        bench.origin.reply { _ in
            .init(HTTPResponse(headerFields: ["Cache-Control": "max-age=60"]), chunks: [[1], [2], [3]])
        }
        bench.origin.hold(bodies: true)
        let engine = bench.engine
        let status = bench.executor.start {
            try await engine.respond(to: CacheRequest(HTTPRequest(url: Bench.url))).response.status
        }
        bench.executor.drain()
        bench.origin.release(1)
        bench.executor.drain()
        #expect(status.value == 200)
        #expect(bench.origin.cancelled == 1)
        #expect(!bench.isStored())
    }

    @Test("an answer that may not be stored goes to the one it was for; the others ask themselves") func notStorable() {
        bench.reply(["Cache-Control": "no-store"], body: "private")
        bench.origin.hold()
        let all = (0..<3).map { _ in bench.start() }
        #expect(bench.requestCount == 1)
        bench.origin.release()
        bench.executor.drain()
        for one in all { #expect(one.value?.body == "private") }
        #expect(bench.requestCount == 3)
    }

    @Test("after an answer that may not be stored the others ask at once, and do not wait for each other")
    func notStorableAgain() {
        bench.reply(["Cache-Control": "no-store"], body: "private")
        bench.origin.hold()
        _ = (0..<3).map { _ in bench.start() }
        bench.origin.release(1)
        bench.executor.drain()
        #expect(bench.requestCount == 3)
    }

    @Test("after an answer that may not be shared the next requests wait for nobody, until one may be shared again")
    func unshared() {
        bench.reply(["Cache-Control": "no-store"])
        _ = bench.start()
        for (control, count) in [("max-age=0", 2), ("max-age=0", 1)] {
            let before = bench.requestCount
            bench.reply(["Cache-Control": .init(control)])
            bench.origin.hold()
            _ = (0..<2).map { _ in bench.start() }
            #expect(bench.requestCount - before == count)
            bench.origin.release()
            bench.executor.drain()
        }
    }

    @Test(
        "a request that sets terms of its own asks for itself",
        arguments: [
            ["Cache-Control": "no-cache"], ["Cache-Control": "max-age=10"], ["Cache-Control": "no-store"],
            ["Pragma": "no-cache"], ["If-None-Match": "\"a\""], ["Range": "bytes=0-"],
        ] as [HTTPFields])
    func ownTerms(fields: HTTPFields) {
        bench.origin.hold()
        _ = bench.start()
        _ = bench.start(fields)
        #expect(bench.requestCount == 2)
    }

    @Test("requests for two variants of which others are stored ask at the same time") func knownVariants() throws {
        bench.reply(["Cache-Control": "max-age=60", "Vary": "Accept"], body: "shared")
        _ = try bench.get(["Accept": "a"])
        bench.origin.hold()
        let all = ["b", "c", "b"].map { bench.start(["Accept": .init($0)]) }
        #expect(bench.requestCount == 3)
        bench.origin.release()
        bench.executor.drain()
        #expect(all.map { $0.value?.body } == ["shared", "shared", "shared"])
    }

    @Test("requests for different URLs share nothing") func otherURLs() {
        bench.origin.hold()
        _ = bench.start()
        _ = bench.start(url: "https://example.org/b")
        #expect(bench.requestCount == 2)
    }

    @Test("when the origin gives no answer, everybody who waits learns it from one request") func failures() {
        bench.origin.reply { _ in .none }
        bench.origin.hold()
        let all = (0..<3).map { _ in bench.start() }
        bench.origin.release()
        bench.executor.drain()
        for one in all {
            guard case .noAnswer = one.error as? EngineError else {
                Issue.record("\(String(describing: one.result))")
                continue
            }
        }
        #expect(bench.requestCount == 1)
    }

    @Test("concurrent revalidations of one stale response ask once") func revalidations() throws {
        bench.replyByEntityTag("\"1\"", ["Cache-Control": "max-age=60"])
        _ = try bench.get()
        bench.at(61)
        bench.origin.hold()
        let all = (0..<4).map { _ in bench.start() }
        bench.origin.release()
        bench.executor.drain()
        for one in all { #expect(one.value?.body == "body" && one.value?.source == .revalidated) }
        #expect(bench.requestCount == 2)
    }
}

/// A transport that says of each answer whether it was made for one account.
private struct PersonalTransport: Transport {
    let origin: VirtualOrigin
    let isPersonal: Bool

    init(_ origin: VirtualOrigin, isPersonal: Bool) {
        self.origin = origin
        self.isPersonal = isPersonal
    }

    func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
        var incoming = try await origin.send(request)
        incoming.isPersonal = isPersonal
        return incoming
    }
}
