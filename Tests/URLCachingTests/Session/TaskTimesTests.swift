import LoopbackOrigin
import Testing
import URLCaching

/// When the steps of a request happened: an order, no durations.
@Suite(.timeLimit(.minutes(60))) struct TaskTimesTests {
    private let bench: SessionBench

    init() throws {
        bench = try SessionBench { $0.carrier = .libcurl }
        bench.origin.reply { request in
            request.path == "/moved"
                ? OriginReply(status: 302, [("Location", "/a"), ("Cache-Control", "no-store")])
                : OriginReply([("Cache-Control", "max-age=60"), ("ETag", "\"1\"")], text: "hello")
        }
    }

    private func times(_ path: String) async throws -> TaskTimes {
        try await bench.session.answer(for: bench.request(path)).times
    }

    /// The dates that are there, none of which is before one that stands before it.
    private func expectOrder(_ dates: [Date?]) {
        let present = dates.compactMap { $0 }
        #expect(zip(present, present.dropFirst()).allSatisfy { $0 <= $1 }, "\(dates)")
    }

    @Test("a fetch has every step of its exchange, and a later one on the same connection no look-up")
    func fetch() async throws {
        let times = try await times("/a")
        #expect(times.source == .fetched && times.redirectCount == 0 && times.transactions.count == 1)
        expectOrder([times.start, times.responseStart, times.end])
        #expect(try #require(times.taskInterval).duration >= 0)
        let first = try #require(times.transactions.first)
        #expect(first.url == bench.origin.url("/a") && first.networkProtocolName == "http/1.1")
        #expect(!first.isReusedConnection && first.remoteAddress == "127.0.0.1")
        let steps = [
            first.fetchStartDate, first.domainLookupStartDate, first.domainLookupEndDate, first.connectStartDate,
            first.connectEndDate, first.requestStartDate, first.responseStartDate, first.responseEndDate,
        ]
        #expect(steps.allSatisfy { $0 != nil })
        expectOrder(steps)
        #expect(first.secureConnectionStartDate == nil && first.secureConnectionEndDate == nil)

        let second = try #require(try await self.times("/b").transactions.first)
        #expect(second.isReusedConnection && second.domainLookupStartDate == nil && second.connectStartDate == nil)
        #expect(second.connectEndDate == nil && second.responseEndDate != nil)
        expectOrder([second.fetchStartDate, second.requestStartDate, second.responseStartDate, second.responseEndDate])
    }

    @Test("a hit has no exchange, a confirmed response one, a redirection two") func cachePart() async throws {
        _ = try await times("/a")
        let hit = try await times("/a")
        #expect(hit.source == .memoryHit && hit.transactions.isEmpty)
        expectOrder([hit.start, hit.responseStart, hit.end])
        bench.at(61)
        bench.origin.reply { _ in OriginReply(status: 304, [("ETag", "\"1\"")]) }
        let confirmed = try await times("/a")
        #expect(confirmed.source == .revalidated && confirmed.transactions.count == 1)
    }

    @Test("a redirection is an exchange of its own") func redirected() async throws {
        let times = try await times("/moved")
        #expect(times.redirectCount == 1 && times.transactions.map(\.url?.path) == ["/moved", "/a"])
    }

    @Test("a task has its times when its end is told") func task() async throws {
        let (ends, end) = AsyncStream<TaskTimes>.makeStream()
        let delegate = TimesAtEnd(end)
        let session = CachingSession(configuration: .patient, delegate: delegate, delegateQueue: nil)
        session.dataTask(with: bench.origin.url("/moved")).resume()
        for await times in ends {
            #expect(times.redirectCount == 1 && times.transactions.map(\.url?.path) == ["/moved", "/a"])
            #expect(times.source == .fetched)
            expectOrder([times.start, times.responseStart, times.end])
            break
        }
        session.finishTasksAndInvalidate()
    }

    @Test("a request that found no server has a beginning and no answer") func refused() async throws {
        let origin = try LoopbackOrigin()
        let url = origin.url("/a")
        origin.stop()
        let (ends, end) = AsyncStream<TaskTimes>.makeStream()
        let session = CachingSession(configuration: .patient, delegate: TimesAtEnd(end), delegateQueue: nil)
        session.dataTask(with: url).resume()
        for await times in ends {
            let exchange = times.transactions.first
            #expect(exchange != nil && exchange?.responseStartDate == nil && exchange?.responseEndDate == nil)
            #expect(exchange?.networkProtocolName == nil && exchange?.isReusedConnection == false)
            break
        }
        session.finishTasksAndInvalidate()
    }
}

/// As code with URLSession has it in `didFinishCollecting`.
private final class TimesAtEnd: NSObject, URLSessionTaskDelegate {
    private let end: AsyncStream<TaskTimes>.Continuation

    init(_ end: AsyncStream<TaskTimes>.Continuation) { self.end = end }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let times = (task as? any CachingSessionTask)?.times { end.yield(times) }
    }
}
