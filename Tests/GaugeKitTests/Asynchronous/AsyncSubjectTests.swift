import Dispatch
import Foundation
import Platform
import TestSupport
import Testing

@testable import GaugeKit
@testable import GaugeMeasurement
@testable import GaugeSupport
@testable import GaugeTraces

@Suite("Asynchronous subjects") struct AsyncSubjectTests {
    private static func context() -> RunContext {
        RunContext(seed: 1, memoryCapacity: 1 << 20, diskCapacity: 0, directory: "/nonexistent")
    }

    private static func run(_ row: Benchmark, _ context: RunContext, _ operations: Int) throws -> PreparedBenchmark {
        let prepared = try row.prepare(context)
        var recorder = LatencyRecorder()
        switch prepared.body {
        case .batched(let body): body(operations)
        case .timed(let body): body(operations, &recorder)
        case .threaded(let threads, let body):
            #expect(threads == 1)
            body(0, operations)
        }
        return prepared
    }

    /// Runs what waits for tasks on a thread of its own: tests have the threads on which tasks run.
    private static func apart<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
        }
    }

    private static func rows<Deed: ActorDeed>(_ deed: Deed.Type) -> [Benchmark] {
        SubjectBenchmarks.rows(asynchronous: ActorCache<Deed>.self, isPeer: false, reference: "right-actor")
    }

    private func verdict(
        _ name: String, _ type: any AsyncCacheSubject.Type, seconds: Double = 60
    ) throws -> PromiseVerdict {
        var model = ModelSettings()
        model.seconds = seconds
        let scratch = try ScratchDirectory()
        let promise = try #require(Promise.all.first { $0.name == name })
        #expect(promise.lacking(type.bridged) == [])
        return promise.verdict(Trial(type.bridged, parent: scratch.path, heapInUse: { nil }, model: model) { _ in })
    }

    @Test(
        "a right actor keeps what is promised",
        arguments: ["entries-held", "lru", "cleared", "memory-raised", "model-answers", "model-threads", "concurrent"])
    func right(promise: String) throws {
        #expect(try verdict(promise, ActorCache<RightActor>.self, seconds: nightly(2, else: 0.3)) == .kept)
    }

    @Test(
        "a store that keeps an old body, and a lookup that fails, break promises",
        arguments: [
            (ActorCache<KeepsFirst>.self, "model-answers"),
            (ActorCache<Throwing>.self, "overwritten"),
        ] as [(any AsyncCacheSubject.Type, String)])
    func defects(type: any AsyncCacheSubject.Type, promise: String) throws {
        let verdict = try verdict(promise, type)
        guard case .broken = verdict else {
            Issue.record("\(promise): \(verdict)")
            return
        }
    }

    @Test("its rows have the names of other subjects' rows, and tasks in the place of threads") func names() {
        let names = Self.rows(RightActor.self).map(\.name.description)
        for name in ["hit/1k", "miss/100k", "store/10k", "store-evict/1k", "grow/1k", "truncate/100k"] {
            #expect(names.contains("memory/\(name)/right-actor"))
        }
        for tasks in ["1-task", "2-tasks", "64-tasks"] {
            #expect(names.contains("memory/hits/1k/\(tasks)/right-actor"))
            #expect(names.contains("memory/zipf/100k/\(tasks)/right-actor"))
        }
        #expect(names.contains("cache/mix/right-actor") && !names.contains { $0.hasPrefix("disk/") })
        #expect(Set(names).count == names.count)
    }

    @Test(
        "each row of a right actor finds nothing wrong",
        arguments: [
            "hit/1k", "miss/1k", "store/1k", "store-evict/1k", "grow/1k", "truncate/1k", "hits/1k/1-task",
            "hits/1k/64-tasks", "zipf/1k/2-tasks", "mix",
        ])
    func rows(name: String) async throws {
        let row = try #require(Self.rows(RightActor.self).first { $0.name.case == name })
        let (wrong, figures) = try await Self.apart {
            let context = Self.context()
            let prepared = try Self.run(row, context, 130)
            return (context.answers.first, try prepared.figures())
        }
        #expect(wrong.isEmpty, "\(wrong)")
        #expect(figures.contains { $0.name == "context switches of 1000" } == name.contains("task"))
        guard name.contains("task") else { return }
        #expect(figures.allSatisfy { $0.value >= 0 && $0.value.isFinite })
    }

    @Test(
        "rows of actors that are wrong report it", arguments: ["store/1k", "store-evict/1k", "mix", "zipf/1k/2-tasks"])
    func wrongRows(name: String) async throws {
        // A body that is gone at once is no mistake in a full cache, which may refuse it.
        for (rows, isWrong) in [
            (Self.rows(Throwing.self), name != "store-evict/1k"),
            (Self.rows(KeepsFirst.self), name == "store/1k" || name == "mix"),
        ] {
            let row = try #require(rows.first { $0.name.case == name })
            let wrong = try await Self.apart {
                let context = Self.context()
                // One that is wrong is found sooner or later, and one that is not, never.
                for _ in 0..<(isWrong ? 40 : 5) where context.answers.count == 0 {
                    _ = try? Self.run(row, context, 300)
                }
                return context.answers.first
            }
            #expect(wrong.isEmpty != isWrong, "\(row.name): \(wrong)")
        }
    }

    @Test("tasks ask by Zipf's law for far more keys than fit, in batches that follow each other") func taskOrder() {
        let order = SubjectBenchmarks.taskOrder(100_000, isZipf: true, seed: 1)
        #expect(order.count == 200_000 && Set(order).count > 37_500, "\(Set(order).count)")
        #expect(SubjectBenchmarks.taskOrder(1_000, isZipf: true, seed: 1).count == SubjectBenchmarks.mixCount)
        let rounds = TaskRounds()
        let places: [Int] = [rounds.begin(130, each: 65), rounds.begin(4, each: 2), rounds.begin(1, each: 1)]
        #expect(places == [0, 65, 67])
    }

    @Test("a hit that throws is no hit") func throwingHit() async throws {
        let row = try #require(Self.rows(Throwing.self).first { $0.name.case == "hits/1k/2-tasks" })
        let wrong = try await Self.apart {
            let context = Self.context()
            _ = try Self.run(row, context, 100)
            return context.answers.first
        }
        #expect(wrong.map(\.got) == ["100 other answers"])
    }

    @Test("the time of a call is that inside of its task") func time() throws {
        let configuration = SubjectConfiguration(memoryCapacity: 0, diskCapacity: 0, directory: "", entryLimit: 10)
        let subject = try AsyncSubject<ActorCache<RightActor>>(configuration)
        let checked = CheckedSubject(subject, answers: Answers(), longest: 64)
        var recorder = LatencyRecorder()
        let key = try checked.key(1)
        checked.store(key, id: 1, version: 1, count: 64, &recorder)
        #expect(recorder.histogram(of: .store)?.sum == subject.callNanoseconds)
        _ = checked.lookUp(key, id: 1, version: 1, count: 64, &recorder)
        #expect(recorder.histogram(of: .memoryHit)?.sum == subject.callNanoseconds)
        #expect(CheckedSubject(CountedCache<Counts>(configuration), answers: Answers(), longest: 8).own(5) == 5)
    }

    @Test("a task runs on the thread that waits for it, what it leaves to others ends there, and its error is thrown")
    func callingThread() throws {
        let thread = CallingThread()
        let own = pthread_self()
        #expect(try thread.run { pthread_equal(pthread_self(), own) != 0 })
        let cache = ActorCache<RightActor>.self
        let (inside, after) = try thread.run {
            let actor = await cache.init(
                SubjectConfiguration(memoryCapacity: 0, diskCapacity: 0, directory: "", entryLimit: 1))
            _ = await actor.store([1], for: "a")
            let isElsewhere = await withCheckedContinuation { continuation in
                DispatchQueue.global().async { continuation.resume(returning: pthread_equal(pthread_self(), own) == 0) }
            }
            return (isElsewhere, pthread_equal(pthread_self(), own) != 0)
        }
        #expect(inside && after)
        #expect(throws: GaugeError("no")) { try thread.run { throw GaugeError("no") } as Int }
    }

    @Test("a job that comes after the task has ended runs, too") func lateJob() throws {
        let thread = CallingThread()
        let done = DispatchSemaphore(value: 0)
        try thread.run {}
        Task(executorPreference: thread) { done.signal() }
        #expect(done.wait(timeout: .now() + 20) == .success)
    }
}
