import Foundation
import Platform
import TestSupport
import Testing

@testable import GaugeMeasurement
@testable import GaugeKit
@testable import GaugeSupport
@testable import GaugeTraces

@Suite("Benchmarks of a subject") struct SubjectBenchmarksTests {
    private func context(directory: String = "/nonexistent") -> RunContext {
        RunContext(seed: 1, memoryCapacity: 1 << 20, diskCapacity: 4 << 20, directory: directory)
    }

    private func run(_ benchmark: Benchmark, _ context: RunContext, operations: Int) throws -> LatencyRecorder {
        var recorder = LatencyRecorder()
        let prepared = try benchmark.prepare(context)
        switch prepared.body {
        case .timed(let body): body(operations, &recorder)
        case .batched(let body): body(operations)
        case .threaded: Issue.record("no benchmark of a subject has threads")
        }
        return recorder
    }

    @Test("the disk rows have the names of the table") func theDiskRowsHaveTheNamesOfTheTable() {
        #expect(
            SubjectBenchmarks.disk(HonestSubject.self, isPeer: true).map(\.name.description) == [
                "disk/store/1k/honest", "disk/store/4k/honest", "disk/store/16k/honest", "disk/store/64k/honest",
                "disk/hit/1k/honest", "disk/hit/4k/honest", "disk/hit/16k/honest", "disk/hit/64k/honest",
                "disk/miss/honest",
            ])
    }

    @Test("a subject without a disk tier has no disk rows, short or long") func noDisk() {
        #expect(SubjectBenchmarks.disk(StaleSubject.self, isPeer: false).isEmpty)
        #expect(SubjectBenchmarks.diskAtLength(StaleSubject.self, isPeer: false).isEmpty)
    }

    @Test("the long disk rows leave out unsupported cases, and are only in the suite full")
    func theLongDiskRowsLeaveOutWhatASubjectCannotDoAndAreInNoSuiteButFull() {
        let rows = SubjectBenchmarks.diskAtLength(HonestSubject.self, isPeer: true)
        #expect(
            rows.map(\.name.description) == [
                "disk/store-clean/1k/honest", "disk/store-clean/4k/honest", "disk/store-clean/16k/honest",
                "disk/store-clean/64k/honest", "disk/hit-cold/4k/honest", "disk/hot/4k/honest",
            ])
        #expect(rows.map(\.suites) == Array(repeating: [], count: rows.count))
    }

    @Test("a cache that cannot be filled in time says how far it came, and is no error of the run")
    func aCacheThatCannotBeFilledInTime() throws {
        var context = context()
        context.fillSeconds = 0
        let rows = SubjectBenchmarks.memory(HonestSubject.self, isPeer: false)
        let hit = try #require(rows.first { $0.name.description == "memory/hit/1k/honest" })
        let slow = #expect(throws: TooSlow.self) { try hit.prepare(context) }
        #expect(slow?.description == "1 of 1000 entries were stored in 0 s")
        var measured = BenchmarkMeasurements(hit)
        measured.failure = .tooSlow(reason: "")
        #expect(!measured.isFatal && !measured.isError)
        measured.failure = .notReady(seconds: 30)
        #expect(measured.isFatal && measured.isError)
    }

    @Test("the reclaim row of an exact LRU says that it is one")
    func theReclaimRowOfAnExactLRUSaysThatItIsOne() throws {
        // The capacity of this subject counts only bodies, so that it holds slightly more than the LRU for comparison.
        let work = SubjectCase("disk", "zipf/1.0", tier: .disk, bodyCount: 16 << 10)
        let context = context()
        let benchmark = SubjectBenchmarks.reclaim(HonestSubject.self, work, exponent: 1, warm: 1_000, counted: 4_000)
        let figures = Dictionary(
            uniqueKeysWithValues: try benchmark.prepare(context).figures().map { ($0.name, $0.value) })
        let (own, exact) = (try #require(figures["hit ratio"]), try #require(figures["exact LRU"]))
        #expect(exact > 0.3 && own >= exact && own < exact + 0.01, "\(own) beside \(exact)")
        #expect(context.answers.count == 0)
    }

    @Test("the hot row finds the hot entries and stores in one of twenty operations")
    func theHotRowFindsWhatIsHotAndStoresOneInTwenty() throws {
        let work = SubjectCase("disk", "hot/4k", tier: .disk, bodyCount: 4096)
        let context = context()
        let benchmark = SubjectBenchmarks.hot(HonestSubject.self, work, untimed: 4_000, nanoseconds: .max / 4)
        let recorder = try run(benchmark, context, operations: 4_000)
        let stores = try #require(recorder.histogram(of: .store)?.count)
        #expect((100...300).contains(stores), "\(stores)")
        #expect((recorder.histogram(of: .diskHit)?.count ?? 0) > 3_000)
        #expect(context.answers.count == 0)
    }

    @Test("stores into pages that were written back are measured like other stores")
    func storesIntoPagesThatWereWrittenBackAreStoresLikeOthers() throws {
        let scratch = try ScratchDirectory()
        try Data(repeating: 1, count: 10_000).write(to: URL(filePath: scratch.path + "/pages"))
        var work = SubjectCase("disk", "store-clean/4k", tier: .disk, bodyCount: 4096)
        work.pages = .writtenBack
        let context = context(directory: scratch.path)
        let recorder = try run(
            SubjectBenchmarks.store(HonestSubject.self, work), context, operations: 2_500)
        #expect(recorder.histogram(of: .storeEvict)?.count == 2_500)
        #expect(context.answers.count == 0, "\(context.answers.first)")
    }

    @Test("a directory whose files cannot be opened is reported and not skipped")
    func aDirectoryWhoseFilesCannotBeOpenedIsReportedAndNotPassedOver() throws {
        let scratch = try ScratchDirectory()
        symlink(scratch.path + "/nothing", scratch.path + "/pages")
        let error = #expect(throws: GaugeError.self) { try PageState.writtenBack.bring(scratch.path) }
        #expect(error?.description.contains("pages cannot be opened") == true)
    }

    @Test("stores evict from the first operation on") func storesEvictFromTheFirstOperationOn() throws {
        let work = SubjectCase("disk", "store/4k", tier: .disk, bodyCount: 4096)
        let context = context()
        let recorder = try run(
            SubjectBenchmarks.store(FullSubject.self, work), context, operations: 2500)
        #expect(recorder.histogram(of: .storeEvict)?.count == 2500)
        #expect(recorder.histograms.count == 1)
        #expect(context.answers.count == 0, "\(context.answers.first)")
    }

    @Test("a store row reports a subject that keeps nothing", arguments: [true, false])
    func aStoreRowTellsOfASubjectThatKeepsNothing(isForgetful: Bool) throws {
        let work = SubjectCase("disk", "store/4k", tier: .disk, bodyCount: 4096)
        let benchmark =
            isForgetful
            ? SubjectBenchmarks.store(ForgetfulSubject.self, work)
            : SubjectBenchmarks.store(HonestSubject.self, work)
        let prepared = try benchmark.prepare(context())
        var recorder = LatencyRecorder()
        if case .timed(let body) = prepared.body { for _ in 0..<3 { body(10, &recorder) } }
        #expect(try prepared.figures() == (isForgetful ? [Figure("found again", 0, .ratio)] : []))
    }

    @Test("a tier that takes too long to fill is an error that names the remedy")
    func aTierThatTakesForEverToFillIsAnErrorWithTheRemedy() throws {
        let context = RunContext(seed: 1, memoryCapacity: 0, diskCapacity: .max, directory: "")
        let work = SubjectCase("disk", "store/1k", tier: .disk, bodyCount: 1024)
        let error = #expect(throws: GaugeError.self) {
            try SubjectBenchmarks.store(ForgetfulSubject.self, work).prepare(context)
        }
        #expect(error?.description.contains("pass a smaller capacity") == true)
        #expect(work.residentCount(context) == 65_536)
    }

    @Test("a row with a capacity apart fills all of it, and states the rate of filling") func largeRows() throws {
        var work = SubjectCase("large", "hit/1g", tier: .disk, bodyCount: 4096)
        work.diskCapacity = 1 << 20
        let context = RunContext(seed: 1, memoryCapacity: 0, diskCapacity: 8 << 20, directory: "")
        #expect(work.configuration(context, for: .disk).diskCapacity == 1 << 20)
        #expect(work.residentCount(context) == (1 << 20) / 10 * 7 / (4096 + SubjectCase.assumedOverhead))
        for benchmark in [
            SubjectBenchmarks.hit(HonestSubject.self, work),
            SubjectBenchmarks.store(HonestSubject.self, work),
        ] {
            let figures = try benchmark.prepare(context).figures()
            #expect(figures.contains { $0.name == "filled a second" && $0.value > 0 && $0.unit == .bytes })
        }
        work.diskCapacity = 64 << 30
        #expect(work.residentCount(context) > 65_536)
        #expect(try work.overfullCount(context) == (64 << 30) / 4096 + 1)
    }

    @Test("all lookups of the hit row hit, and all of the miss row miss") func hitsAllHitAndMissesAllMiss() throws {
        let work = SubjectCase("disk", "hit/4k", tier: .disk, bodyCount: 4096)
        let context = context()
        let hits = try run(SubjectBenchmarks.hit(HonestSubject.self, work), context, operations: 1000)
        #expect(hits.histogram(of: .diskHit)?.count == 1000)
        #expect(hits.histogram(of: .miss) == nil)
        _ = try run(SubjectBenchmarks.miss(HonestSubject.self, work), context, operations: 1000)
        #expect(context.answers.count == 0)
    }

    @Test(
        "a workload that only reads notices an outdated version of one key in eight",
        arguments: [WorkloadPlan.preset("page-loads"), nil])
    func outdated(plan: WorkloadPlan?) throws {
        let mix = SubjectCase("cache", "mix", tier: .memory, bodyCount: 0)
        let workload: @Sendable (UInt64) -> Workload = { seed in
            plan.map { Workload($0, seed: seed) } ?? .webLike(seed: seed)
        }
        func wrong<Subject: CacheSubject>(_ type: Subject.Type) throws -> Int {
            let context = context()
            let benchmark = SubjectBenchmarks.mix(type, mix, workload: workload, counted: 4_000, nanoseconds: .max / 4)
            _ = try benchmark.prepare(context)
            return context.answers.count
        }
        #expect(try wrong(StaleSubject.self) > 0)
        #expect(try wrong(HonestSubject.self) == 0)
    }

    @Test("the mix reports ratios over the stated requests") func theMixReportsRatiosOverTheStatedRequests() throws {
        let work = SubjectCase("two-tier", "zipf", tier: .disk, bodyCount: 0)
        let context = context()
        let benchmark = SubjectBenchmarks.mix(HonestSubject.self, work, counted: 2000, nanoseconds: .max / 4)
        let prepared = try benchmark.prepare(context)
        let figures = Dictionary(uniqueKeysWithValues: try prepared.figures().map { ($0.name, $0.value) })
        #expect(figures["requests"] == 2000)
        let ratio = try #require(figures["hit ratio"])
        #expect(ratio > 0.2 && ratio < 0.8)
        #expect(try #require(figures["byte hit ratio"]) < ratio + 0.1)
        #expect(context.answers.count == 0)
    }

    @Test(
        "a faulty subject is found in every row that returns bodies",
        arguments: [Lie.flippedBit, .otherKeysBody, .cutShort, .error]
    )
    func aLyingSubjectIsFoundInEveryRowThatHandsOutBodies(lie: Lie) throws {
        let hit = SubjectCase("disk", "hit/4k", tier: .disk, bodyCount: 4096)
        for benchmark in [
            SubjectBenchmarks.hit(LyingSubject.self, hit),
            SubjectBenchmarks.mix(LyingSubject.self, hit, counted: 0),
        ] {
            let context = context(directory: lie.rawValue)
            _ = try run(benchmark, context, operations: 500)
            #expect(context.answers.count > 0, "\(benchmark.name)")
        }
    }

    @Test("the miss row finds a subject that hits keys never stored")
    func aSubjectThatHitsWhatWasNeverStoredIsFoundByTheMissRow() throws {
        let context = context()
        let work = SubjectCase("disk", "miss", tier: .disk, bodyCount: 4096)
        _ = try run(SubjectBenchmarks.miss(InventingSubject.self, work), context, operations: 10)
        #expect(context.answers.count > 0)
    }
}

/// Answers every lookup.
private final class InventingSubject: CacheSubject {
    static let name = "inventing"
    static let capabilities: SubjectCapabilities = [.disk]
    init(_ configuration: SubjectConfiguration) {}
    func key(for url: String) -> String { url }
    func store(_ body: UnsafeRawBufferPointer, for key: String) -> Outcome { .store }
    func remove(_ key: String) {}
    func lookUp(_ key: String, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome {
        key.withCString { read(UnsafeRawBufferPointer(start: $0, count: key.utf8.count)) }
        return .diskHit
    }
}

/// Once it is filled, reports that a store evicted nothing, which counts as wrong.
private final class FullSubject: CacheSubject {
    static let name = "full"
    static let capabilities: SubjectCapabilities = [.disk, .capacity]
    private let honest: HonestSubject
    private var isFilled = false
    init(_ configuration: SubjectConfiguration) { honest = HonestSubject(configuration) }
    func fill(with entries: FillEntries) throws {
        try honest.fill(with: entries)
        isFilled = true
    }
    func key(for url: String) -> UInt64 { honest.key(for: url) }
    func remove(_ key: UInt64) { honest.remove(key) }
    func lookUp(_ key: UInt64, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome { honest.lookUp(key, read) }
    func store(_ body: UnsafeRawBufferPointer, for key: UInt64) -> Outcome {
        let outcome = honest.store(body, for: key)
        return isFilled && outcome == .store ? .computed : outcome
    }
}

/// Stores nothing.
private final class ForgetfulSubject: CacheSubject {
    static let name = "forgetful"
    static let capabilities: SubjectCapabilities = [.disk]
    init(_ configuration: SubjectConfiguration) {}
    func key(for url: String) -> String { url }
    func remove(_ key: String) {}
    func lookUp(_ key: String, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome { .miss }
    func store(_ body: UnsafeRawBufferPointer, for key: String) -> Outcome { .store }
}
