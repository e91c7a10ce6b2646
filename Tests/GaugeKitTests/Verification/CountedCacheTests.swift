import TestSupport
import Testing

@testable import GaugeKit
@testable import GaugeMeasurement
@testable import GaugeSupport
@testable import GaugeTraces

@Suite("Caches that count entries") struct CountedCacheTests {
    /// The names of the promises that are tried, and the reasons of those that are broken.
    private func verify(
        _ type: any CacheSubject.Type, seed: UInt64 = 1, seconds: Double = 0.4,
        _ isMeant: (Promise) -> Bool = { _ in true }
    ) throws -> (tried: Set<String>, broken: [String: String]) {
        var model = ModelSettings()
        model.seconds = seconds
        model.seed = seed
        var (tried, broken): (Set<String>, [String: String]) = ([], [:])
        for promise in Promise.all where isMeant(promise) && promise.lacking(type).isEmpty {
            let scratch = try ScratchDirectory()
            let verdict = promise.verdict(
                Trial(promise.driven(type), parent: scratch.path, heapInUse: { nil }, model: model) { _ in })
            switch verdict {
            case .kept: tried.insert(promise.name)
            case .broken(let reason):
                tried.insert(promise.name)
                broken[promise.name] = reason
            default: break
            }
        }
        return (tried, broken)
    }

    @Test(
        "the promises of a capacity are tried in entries, and a right cache keeps them",
        arguments: nightly([1, 7], else: [1]) as [UInt64])
    func right(seed: UInt64) throws {
        let (tried, broken) = try verify(CountedCache<Counts>.self, seed: seed, seconds: nightly(0.4, else: 0.1)) {
            $0.name != "model-keys"
        }
        #expect(broken == [:])
        #expect(
            tried.isSuperset(of: [
                "entries-held", "memory-truncated", "memory-raised", "lru", "twice-evicted-memory",
                "just-stored-memory", "replaced-place", "stored-last-memory", "used-kept", "told-eviction",
                "told-evictions", "counted-evictions", "cleared", "capacity-zero", "model-held", "model-usage",
            ]))
        #expect(tried.isDisjoint(with: ["memory-held", "superseded", "too-large", "told-memory"]))
    }

    @Test(
        "each defect of a cache that counts entries breaks a promise",
        arguments: [
            (CountedCache<OneMore>.self, "entries-held", "2 entries in use of 1"),
            (CountedCache<OverwritesGrow>.self, "entries-held", "entries in use of"),
            (CountedCache<Fifo>.self, "lru", "it is gone, although it was used after others"),
            (CountedCache<Fifo>.self, "model-held", "found nothing, although all that was used since then fits"),
            (
                CountedCache<CountsRemoved>.self, "model-held",
                "found nothing, although all that was used since then fits"
            ),
            (CountedCache<NewestFirst>.self, "just-stored-memory", "are gone after one more store"),
            (CountedCache<LateResize>.self, "memory-truncated", "entries are found, of a limit of 10"),
        ] as [(any CacheSubject.Type, String, String)])
    func defects(type: any CacheSubject.Type, promise: String, reason: String) throws {
        // A defect ends the search, so the time is for a busy machine.
        let broken = try verify(type, seconds: 120) { $0.name == promise }.broken
        #expect(broken[promise]?.contains(reason) == true, "\(broken)")
    }

    @Test("a right cache that also says how many bytes it holds, and that several threads share, gets entries alone")
    func locked() throws {
        let names = ["model-held", "model-usage", "model-threads", "concurrent", "memory-raised"]
        let (tried, broken) = try verify(LockedCache.self) { names.contains($0.name) }
        #expect(broken == [:] && tried == Set(names))
    }

    @Test("threads change the limit of entries, and their steps tell entries") func threads() throws {
        let capabilities = LockedCache.capabilities
        let sequences = (0..<64).map { ModelSequence(.threads, seed: $0, capabilities: capabilities) }
        let sequence = try #require(
            sequences.first { $0.steps.contains(.resize(memory: 1 << 20, disk: 0)) && !$0.isInStep })
        let scratch = try ScratchDirectory()
        var model = ModelSettings()
        model.seconds = 0
        var steps: [String] = []
        let trial = Trial(LockedCache.self, parent: scratch.path, model: model) { steps.append($0 ?? "") }
        try ThreadedRun.run(sequence, steps: Array(sequence.steps.indices), isQuick: true, on: trial)
        #expect(steps.contains { $0.contains("change the capacities to 209 entries and 0 B") }, "\(steps)")
        #expect(!steps.contains { $0.contains("MiB") }, "\(steps)")
    }

    @Test("a random sequence that exceeds a limit of entries is told in entries") func exceeded() throws {
        let broken = try verify(CountedCache<OneMore>.self, seconds: 120) { $0.name == "model-usage" }.broken
        let reason = try #require(broken["model-usage"])
        #expect(try /([0-9]+) entries in use of ([0-9]+)/.wholeMatch(in: reason) != nil, "\(reason)")
    }

    @Test("a limit of entries is noted, and takes the place of a capacity") func steps() throws {
        let scratch = try ScratchDirectory()
        var steps: [String] = []
        let trial = Trial(CountedCache<Counts>.self, parent: scratch.path) { steps.append($0 ?? "") }
        try trial.begin(memory: 200_000)
        try trial.resize(memory: 4_999, disk: 0)
        try trial.begin(entries: 7)
        #expect(
            steps == [
                "", "open with 40 entries of memory and 0 B of disk", "change the capacities to 1 entries and 0 B", "",
                "open with a limit of 7 entries",
            ])
        #expect([0, 1, 4_999, 5_000, 9_999, -200_000].map(trial.entries) == [0, 1, 1, 1, 1, -40])
    }

    @Test("the rows of memory and the workloads give it a limit of entries") func rows() throws {
        let type = CountedCache<Counts>.self
        let context = RunContext(seed: 1, memoryCapacity: 1 << 20, diskCapacity: 0, directory: "/nonexistent")
        let rows = SubjectBenchmarks.memory(type, isPeer: false) + SubjectBenchmarks.workloads(type, isPeer: false)
        for name in ["hit", "store-evict", "truncate"] {
            let row = try #require(rows.first { $0.name.case == "\(name)/1k" })
            let prepared = try row.prepare(context)
            var recorder = LatencyRecorder()
            switch prepared.body {
            case .batched(let body): body(20)
            case .timed(let body): body(2, &recorder)
            case .threaded: Issue.record("\(row.name)")
            }
        }
        let mix = try #require(rows.first { $0.name.case == "mix" })
        let figures = try mix.prepare(context).figures()
        let ratio = figures.first { $0.name == "hit ratio" }?.value ?? 0
        #expect((0.05...0.95).contains(ratio), "\(figures)")
        #expect(context.answers.count == 0, "\(context.answers.first)")
    }
}
