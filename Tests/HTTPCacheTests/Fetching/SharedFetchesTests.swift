import HTTPSemantics
import Testing
import VirtualOrigin

@testable import HTTPCache

/// The list of the fetches under way, without an engine.
@Suite struct SharedFetchesTests {
    private let fetches = SharedFetches()

    @Test("a fetch that has ended since the store was looked into sends a request back to it, if it may share")
    func ended() throws {
        let before = fetches.finishedCount
        fetches.remove(try begin().fetch)
        #expect(fetches.finishedCount == before + 1)
        guard case .lookAgain = join(sharedKey: [1], finishedCount: before) else {
            Issue.record("began although the store may have the answer")
            return
        }
        _ = try begin(sharedKey: nil, finishedCount: before)
        _ = try begin(sharedKey: [1], finishedCount: before + 1)
    }

    @Test("the end of a fetch, or a newer answer, leaves the fetch that has taken its place", arguments: [true, false])
    func replaced(byEnd: Bool) throws {
        var waiter: FetchWaiter? = try begin()
        let left = try #require(waiter?.fetch)
        waiter = nil
        let present = try begin()
        if byEnd {
            fetches.remove(left)
        } else {
            fetches.markOutdated(before: present.fetch, in: match())
            #expect(!left.mayStore)
        }
        guard case .joined(let joined) = join() else {
            Issue.record("the present fetch is not found")
            return
        }
        #expect(joined.fetch === present.fetch && !joined.isOwner)
    }

    @Test("an answer outdates the earlier fetches for the same variant alone")
    func outdating() throws {
        let all = try ["a", "b", "a", "a"].map { try begin(["Accept": .init($0)], sharedKey: nil) }
        fetches.markOutdated(before: all[2].fetch, in: match(["Accept": "a"], vary: "Accept"))
        #expect(all.map(\.fetch.mayStore) == [false, true, true, true])
    }

    @Test("a fetch that is over is not held on to")
    func released() throws {
        weak var held: SharedFetch?
        do {
            let waiter = try begin()
            held = waiter.fetch
            fetches.remove(waiter.fetch)
        }
        #expect(held == nil)
    }

    @Test("a waiter that is cancelled hears so, and one whose time is over hears of that")
    func ends() throws {
        let clock = VirtualClock(seconds: 0)
        let executor = SteppedExecutor()
        let deadlines = Deadlines(clock: clock, executor: executor)
        let waits = try (0..<2).map { _ in
            let waiter = try begin(sharedKey: nil)
            return executor.start { await waiter.outcome(deadlines, timeout: 3) }
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

    @Test("what varies on everything answers no other request")
    func everything() {
        #expect(!match(vary: "*").contains(HTTPRequest(url: Bench.url)))
        #expect(match().contains(HTTPRequest(url: Bench.url)))
    }

    @Test("the engine takes out a fetch that is over")
    func engine() throws {
        let bench = try Bench()
        bench.reply(["Cache-Control": "max-age=60"])
        _ = try bench.get()
        #expect(bench.engine.fetches.finishedCount == 1)
    }

    @Test("a task that is named after the last waiter has left is cancelled")
    func startedTooLate() throws {
        var waiter: FetchWaiter? = try begin()
        let fetch = try #require(waiter?.fetch)
        waiter = nil
        let task = Task {}
        fetch.start(task)
        #expect(task.isCancelled)
    }

    private func join(
        _ fields: HTTPFields = [:], sharedKey: [UInt8]? = [1], finishedCount: UInt64? = nil
    ) -> SharedFetches.Joining {
        let request = CacheRequest(HTTPRequest(url: Bench.url, headerFields: fields))
        let lookedUp = LookedUpRequest(request: request, facts: RequestFacts(request.request), stored: nil)
        return fetches.join(
            lookedUp, validates: false, key: [0], sharedKey: sharedKey, finishedCount: finishedCount)
    }

    private func begin(
        _ fields: HTTPFields = [:], sharedKey: [UInt8]? = [1], finishedCount: UInt64? = nil
    ) throws -> FetchWaiter {
        guard case .began(let waiter) = join(fields, sharedKey: sharedKey, finishedCount: finishedCount) else {
            throw NotBegun()
        }
        return waiter
    }

    private func match(_ fields: HTTPFields = [:], vary: String? = nil) -> VaryMatch {
        VaryMatch(VarySelection(vary), of: HTTPRequest(url: Bench.url, headerFields: fields))
    }

    private struct NotBegun: Error {}
}
