import HTTPSemantics
import Testing
import VirtualOrigin

@testable import HTTPCache

/// The list of the fetches under way, without an engine.
@Suite struct SharedFetchesTests {
    private let order = AnswerOrder()
    private let fetches: SharedFetches

    init() { fetches = SharedFetches(order) }

    @Test("a fetch that has ended since the store was looked into sends a request back to it, if it may share")
    func ended() throws {
        let before = fetches.finishedCount
        fetches.remove(try begin().fetch)
        #expect(fetches.finishedCount == before + 1)
        guard case .lookAgain = join(finishedCount: before) else {
            Issue.record("began although the store may have the answer")
            return
        }
        _ = try begin(mayShare: false, finishedCount: before)
        _ = try begin(finishedCount: before + 1)
    }

    @Test("the end of a fetch that everybody has left leaves the fetch that has taken its place")
    func replaced() throws {
        var waiter: FetchWaiter? = try begin()
        let left = try #require(waiter?.fetch)
        waiter = nil
        let present = try begin()
        fetches.remove(left)
        guard case .joined(let joined) = join() else {
            Issue.record("the present fetch is not found")
            return
        }
        #expect(joined.fetch === present.fetch && !joined.isOwner)
    }

    @Test("the first outcome of a fetch counts, also where all are cancelled afterwards") func firstOutcome() throws {
        let fetch = try begin().fetch
        fetches.finish(fetch, .failed(.timedOut(seconds: 7)))
        fetches.cancelAll()
        guard case .failed(.timedOut(seconds: 7))? = fetch.outcome else {
            Issue.record("the outcome is now \(String(describing: fetch.outcome))")
            return
        }
    }

    @Test("requests that differ in any byte that goes out do not wait for each other") func equality() throws {
        // Equal as texts, and two accounts as bytes.
        let fields: [HTTPFields] = [
            [:], ["Authorization": "a"], ["Authorization": "b"], ["Cookie": "a"], ["Cookie": "a", "X": ""],
            ["Authorization": "caf\u{E9}"], ["Authorization": "cafe\u{301}"], ["A": "b", "C": "d"],
            ["A": "bC", "": "d"],
        ]
        let all = try fields.map { try begin($0) }
        for (one, waiter) in zip(fields, all) {
            guard case .joined(let joined) = join(one) else {
                Issue.record("\(one) does not find its own")
                continue
            }
            #expect(joined.fetch === waiter.fetch)
        }
    }

    @Test(
        "nobody joins a fetch from before a removal of its URL, or from before an unsafe request to its origin was answered"
    )
    func before() throws {
        let key = Array(Bench.url.utf8)
        let changes: [(String, Bool, (AnswerOrder) -> Void)] = [
            ("removal", true, { $0.noteRemoval(key) }), ("removal of all", true, { $0.noteRemovalOfAll() }),
            ("unsafe request", true, { $0.noteUnsafeAnswer(Array("https://example.org/login".utf8)) }),
            ("unsafe request somewhere", true, { $0.noteUnsafeAnswer(nil) }),
            ("removal elsewhere", false, { $0.noteRemoval(Array("https://example.org/b".utf8)) }),
            ("unsafe request to another origin", false, { $0.noteUnsafeAnswer(Array("http://example.org/a".utf8)) }),
        ]
        for (name, isOutdated, change) in changes {
            let first = try begin()
            change(order)
            switch join() {
            case .joined: #expect(!isOutdated, "\(name)")
            case .began(let second):
                #expect(isOutdated, "\(name)")
                fetches.remove(second.fetch)
            case .lookAgain, .cancelled: Issue.record("\(name)")
            }
            fetches.remove(first.fetch)
        }
    }

    @Test("a fetch that is over is not held on to") func released() throws {
        weak var held: SharedFetch?
        do {
            let waiter = try begin()
            held = waiter.fetch
            fetches.remove(waiter.fetch)
        }
        #expect(held == nil)
    }

    @Test("a waiter that is cancelled hears so, and one whose time is over hears of that") func ends() throws {
        let clock = VirtualClock(seconds: 0)
        let executor = SteppedExecutor()
        let deadlines = Deadlines(clock: clock, executor: executor)
        let waits = try (0..<2).map { _ in
            let waiter = try begin(mayShare: false)
            let request = CacheRequest(HTTPRequest(url: Bench.url), timeout: 3)
            return executor.start { await waiter.outcome(deadlines, of: request) }
        }
        executor.drain()
        waits[0].cancel()
        executor.drain()
        clock.advance(by: 3)
        executor.drain()
        guard case .failed(.cancelled) = waits[0].value, case .failed(.timedOut(3)) = waits[1].value else {
            Issue.record("\(waits.map { String(describing: $0.value) })")
            return
        }
    }

    @Test("what varies on everything answers no other request") func everything() {
        #expect(!match(vary: "*").contains(HTTPRequest(url: Bench.url)))
        #expect(match().contains(HTTPRequest(url: Bench.url)))
    }

    @Test("the engine takes out a fetch that is over") func engine() throws {
        let bench = try Bench()
        bench.reply(["Cache-Control": "max-age=60"])
        _ = try bench.get()
        #expect(bench.engine.fetches.finishedCount == 1)
    }

    @Test("a task that is named after the last waiter has left is cancelled") func startedTooLate() throws {
        var waiter: FetchWaiter? = try begin()
        let fetch = try #require(waiter?.fetch)
        waiter = nil
        let task = Task {}
        fetch.start(task)
        #expect(task.isCancelled)
    }

    private func join(
        _ fields: HTTPFields = [:], mayShare: Bool = true, finishedCount: UInt64? = nil
    ) -> SharedFetches.Joining {
        let request = CacheRequest(HTTPRequest(url: Bench.url, headerFields: fields))
        let lookedUp = LookedUpRequest(request: request, facts: RequestFacts(request.request), stored: nil)
        let outgoing = SharedFetch.Outgoing(request: OutgoingRequest(request.request), validates: false)
        return fetches.join(
            lookedUp, outgoing, key: Array(Bench.url.utf8), mayShare: mayShare, finishedCount: finishedCount)
    }

    private func begin(
        _ fields: HTTPFields = [:], mayShare: Bool = true, finishedCount: UInt64? = nil
    ) throws -> FetchWaiter {
        guard case .began(let waiter) = join(fields, mayShare: mayShare, finishedCount: finishedCount) else {
            throw NotBegun()
        }
        return waiter
    }

    private func match(_ fields: HTTPFields = [:], vary: String? = nil) -> VaryMatch {
        VaryMatch(VarySelection(vary), of: HTTPRequest(url: Bench.url, headerFields: fields))
    }

    private struct NotBegun: Error {}
}
