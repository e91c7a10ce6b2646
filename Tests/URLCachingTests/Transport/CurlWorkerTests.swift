import Dispatch
import HTTPCache
import HTTPSemantics
import LoopbackOrigin
import Platform
import Testing
import URLCaching

@testable import CurlTransport

@Suite struct CurlWorkerTests {
    @Test(
        "the thread waits until the deadline has passed, in whole milliseconds, and at most a million",
        arguments: [
            (0, 0), (5, 0), (9, 0), (10, 0), (11, 1), (1_000_009, 1), (1_000_010, 2), (60_000_000_010, 60_001),
            (999_998_000_010, 999_999), (999_999_000_010, 1_000_000), (5_000_000_000_000, 1_000_000),
            (.max, 1_000_000),
        ] as [(UInt64, Int32)])
    func pollTime(deadline: UInt64, milliseconds: Int32) {
        #expect(CurlWorker.pollMilliseconds(until: deadline, now: 10) == milliseconds)
    }

    @Test(
        "the thread is woken for each exchange, parked or polling",
        arguments: [.never, .nanoseconds(0)] as [DispatchTimeInterval])
    func woken(longestParking: DispatchTimeInterval) async throws {
        let origin = try LoopbackOrigin()
        let worker = try CurlWorker(CurlLibrary.shared.get(), TransportSettings(), longestParking: longestParking)
        defer { worker.close() }
        let defaults = DefaultLines(userAgent: "test")
        for _ in 0..<20 {
            let outgoing = OutgoingRequest(HTTPRequest(url: origin.base + "/a"))
            let body = worker.begin(try CurlRequest(outgoing, defaults: defaults))
            #expect(try await body.incoming().response.status == 404)
            while try await body.next() != nil {}
        }
    }

    @Test("jobs that come while the thread is at work are run in the order in which they came")
    func order() async throws {
        let transport = try CurlTransport(TransportSettings(), library: .success(CurlLibrary.shared.get()))
        let order = await withTaskExecutorPreference(transport.executor) {
            await withTaskGroup(of: Int.self) { group in
                // The thread begins them only when this waits for the next result.
                for number in 0..<8 { group.addTask { number } }
                var order: [Int] = []
                for await number in group { order.append(number) }
                return order
            }
        }
        #expect(order == Array(0..<8))
    }

    @Test("tasks that go on and on hold up no exchange") func busyTasks() async throws {
        let origin = try LoopbackOrigin()
        let transport = try CurlTransport(TransportSettings(), library: .success(CurlLibrary.shared.get()))
        let busy = Task(executorPreference: transport.executor) {
            while !Task.isCancelled { await Task.yield() }
        }
        let incoming = try await transport.send(OutgoingRequest(HTTPRequest(url: origin.base + "/a")))
        while try await incoming.body.next() != nil {}
        busy.cancel()
        #expect(incoming.response.status == 404)
    }

    @Test("a library that cannot wake its thread is refused, with the remedy") func notWoken() throws {
        var library = try CurlLibrary.shared.get()
        library.wakeUp = { _ in 12 }
        let error = #expect(throws: TransportProblem.self) { try CurlWorker(library, TransportSettings()) }
        #expect(error.map { "\($0)".contains("ulimit -n") } == true)
    }

    @Test("a session that is released lets go of its connections, however long its requests might have taken")
    func released() async throws {
        weak var executor: (any TaskExecutor)?
        do {
            let transport = try CurlTransport(TransportSettings())
            executor = transport.executor
            let bench = try SessionBench(transport: transport)
            bench.serve(OriginResource("hello"))
            #expect(try await bench.get().body == "hello")
        }
        for _ in 0..<1_000_000 where executor != nil { await Task.yield() }
        #expect(executor == nil)
    }

    @Test("without a thread requests fail with an error that says so, and go once there is one")
    func noThread() async throws {
        let hasThread = Locked(false)
        let transport = try CurlTransport(TransportSettings()) { body in
            hasThread.withLock { $0 } && startThread(body)
        }
        let bench = try SessionBench(transport: transport)
        bench.serve(OriginResource("hello", [("Cache-Control", "max-age=60")]))
        for method in ["GET", "POST"] {
            let error = await thrown { _ = try await bench.get(method: method) }
            #expect(error?.code == .cannotLoadFromNetwork)
            #expect(error?.localizedDescription.contains("no thread") == true)
            #expect(bench.session.underWay.exchanges == 0)
        }
        hasThread.withLock { $0 = true }
        #expect(try await bench.get().body == "hello")
        #expect(try await bench.get(method: "POST").body == "hello")
    }

    enum Refusal: CaseIterable {
        case handle, line, transfer
    }

    @Test("a request that libcurl has no memory for fails, and counts as ended once", arguments: Refusal.allCases)
    func refused(_ refusal: Refusal) async throws {
        var library = try CurlLibrary.shared.get()
        switch refusal {
        case .handle: library.makeEasy = { nil }
        case .line: library.appendToList = { _, _ in nil }
        case .transfer: library.add = { _, _ in 3 }
        }
        let transport = try CurlTransport(TransportSettings(), library: .success(library))
        for _ in 0..<3 {
            await #expect(throws: URLError.self) {
                try await transport.send(OutgoingRequest(HTTPRequest(url: "http://127.0.0.1/")))
            }
            // The thread has noted the end by the time it takes another job.
            let left = await withTaskExecutorPreference(transport.executor) { transport.exchangesUnderWay }
            #expect(left == 0)
        }
    }
}
