import CacheTiers
import HTTPCache
import HTTPSemantics
import Platform
import TestSupport
import Testing
import VirtualOrigin

/// When the header of an answer is handed out whose bytes the transport may have already.
@Suite struct WholeAnswerTests {
    enum Store: CaseIterable {
        case memory, disk, hook, hookThatIsNotAsked, manyFields
    }

    @Test(
        "an answer that is here as a whole is stored before it is handed out, unless that could take time",
        arguments: Store.allCases, [true, false])
    func order(_ store: Store, isComplete: Bool) throws {
        let directory = try ScratchDirectory()
        let disk = store == .disk ? try DiskTier(directory: directory.path, capacity: 1 << 20) : nil
        var options = EngineOptions()
        let bench = try Bench(disk: disk) { bench in
            if store == .hook || store == .hookThatIsNotAsked { bench.willStore = { response, _ in response } }
            if store == .hookThatIsNotAsked { bench.asksWillStore = { _ in false } }
            options = bench
        }
        let engine = CacheEngine(
            responses: bench.store,
            transport: Pushing(isComplete: isComplete, fieldCount: store == .manyFields ? 200 : 1),
            clock: bench.clock, options: options)
        let wasStored = Outcome()
        let request = Task(executorPreference: ImmediateExecutor()) {
            let answer = try await engine.respond(to: CacheRequest(HTTPRequest(url: Bench.url)))
            wasStored.value.withLock { $0 = bench.isStored() }
            _ = try await answer.body.collect()
        }
        bench.executor.drain()
        #expect(wasStored.value.withLock { $0 } == (isComplete && (store == .memory || store == .hookThatIsNotAsked)))
        #expect(bench.isStored())
        request.cancel()
    }

    @Test("a hook that is not asked about received answers is asked about confirmed ones") func confirmation() throws {
        let bench = try Bench { options in
            options.willStore = { response, _ in
                if response.confirms == nil { Issue.record("was asked") }
                return nil
            }
            options.asksWillStore = { _ in false }
        }
        bench.replyByEntityTag("\"a\"", ["Cache-Control": "max-age=60"])
        _ = try bench.get()
        #expect(bench.isStored())
        bench.at(60)
        #expect(try bench.get().source == .revalidated)
        #expect(!bench.isStored())
    }

    private final class Outcome: Sendable {
        let value = Locked<Bool?>(nil)
    }

    /// Runs a task within the call that makes it ready.
    private final class ImmediateExecutor: TaskExecutor {
        func enqueue(_ job: consuming ExecutorJob) { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    private struct Pushing: Transport, PushedBody {
        let isComplete: Bool
        let fieldCount: Int

        func send(_ outgoing: OutgoingRequest) async throws -> IncomingResponse {
            var fields: HTTPFields = ["Cache-Control": "max-age=60"]
            for number in 1..<fieldCount { fields[HTTPFields.Name("X-\(number)")] = "a" }
            return IncomingResponse(HTTPResponse(headerFields: fields), pushed: self)
        }

        func deliver(to sink: any BodySink) async throws -> Bool {
            [UInt8](repeating: 7, count: 10).withUnsafeBytes { _ = sink.append($0) }
            return true
        }

        func next() async throws -> [UInt8]? { nil }

        func cancel() {}
    }
}
