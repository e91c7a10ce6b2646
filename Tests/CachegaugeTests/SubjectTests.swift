import TestSupport
import Testing

@testable import GaugeMeasurement
@testable import GaugeKit
@testable import GaugeSupport
@testable import GaugeTraces
@testable import cachegauge

/// The subjects of the executable, driven as benchmarks and replays drive them.
@Suite("Subjects of cachegauge") struct SubjectTests {
    /// Without Foundation's URLCache, which could disturb this process.
    static let subjects = [TieredSubject.self, RequestSubject.self] as [any CacheSubject.Type] + DiskPeers.all

    private func be32(_ keys: [UInt64]) -> [UInt8] {
        keys.flatMap { key in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: key >> $0) } }
    }

    @Test("a memory tier that counts entries has exactly the hits of LRU", arguments: [1, 16, 256, 1000])
    func theMemoryTierCountingEntriesHitsExactlyWhatLRUDoes(entries: Int) throws {
        var stream = ZipfKeys(objects: 3000, exponent: 0.9, seed: UInt64(entries))
        // A scan in the middle evicts the popular keys.
        let keys = stream.draw(4000) + (10_000..<11_500).map { $0 } + stream.draw(4000)
        var lru = ExactLRU(capacity: .entries(entries))
        var hits = 0
        for key in keys where lru.access(key) { hits += 1 }

        let scratch = try ScratchDirectory()
        let answers = Answers()
        var reader = try TraceReader(TraceInput(name: "generated", bytes: be32(keys)), format: .be32)
        let configuration = SubjectConfiguration(
            memoryCapacity: 0, diskCapacity: 0, directory: scratch.path, entryLimit: entries)
        let result = try Replay.run(
            TieredSubject.self, &reader, settings: ReplaySettings(configuration: configuration, seed: 1),
            answers: answers)
        #expect(result.counts.memoryHits == hits)
        #expect(result.counts.diskHits == 0)
        #expect(result.counts.requests == keys.count)
        #expect(answers.count == 0)
    }

    @Test("every subject answers correctly under stores, removals and evictions", arguments: subjects.indices)
    func everySubjectAnswersRightUnderStoresRemovalsAndEviction(index: Int) throws {
        func exercise<Subject: CacheSubject>(_ type: Subject.Type) throws {
            let scratch = try ScratchDirectory()
            let answers = Answers()
            let configuration = SubjectConfiguration(
                memoryCapacity: 1 << 20, diskCapacity: 4 << 20, directory: scratch.path)
            let checked = CheckedSubject(try Subject(configuration), answers: answers, longest: 40_000)
            let sizes = BodySizes(.lognormal(mu: 9, sigma: 1, minimum: 0, maximum: 40_000), seed: 1)
            try checked.subject.fill(with: FillEntries(Array(500..<600), urls: checked.urls, size: sizes.size(of:)))
            var versions = [UInt64](repeating: 0, count: 600)
            for filled in 500..<600 { versions[filled] = 1 }
            var random = Xoshiro256(seed: 8)
            var recorder = LatencyRecorder()
            var hits = 0
            for _ in 0..<3000 {
                let id = random.next(below: 600)
                let key = try checked.key(id)
                let count = sizes.size(of: id)
                switch random.next(below: 10) {
                case 0..<3:
                    versions[Int(id)] += 1
                    checked.store(key, id: id, version: versions[Int(id)], count: count, &recorder)
                case 3:
                    checked.remove(key, id: id, &recorder)
                    // A lookup may now find nothing, not even the version that was current.
                    versions[Int(id)] += 1
                default:
                    let answer = checked.lookUp(key, id: id, version: versions[Int(id)], count: count, &recorder)
                    if case .hit = answer { hits += 1 }
                }
            }
            #expect(answers.count == 0, "\(type.name): \(answers.first)")
            #expect(hits > 200, "\(type.name)")
        }
        try exercise(Self.subjects[index])
    }

    @Test("every subject finds the entries that it was filled with", arguments: subjects.indices)
    func everySubjectFindsWhatItWasFilledWith(index: Int) throws {
        func exercise<Subject: CacheSubject>(_ type: Subject.Type) throws {
            let scratch = try ScratchDirectory()
            let context = RunContext(seed: 1, memoryCapacity: 4 << 20, diskCapacity: 4 << 20, directory: scratch.path)
            let work = SubjectCase("disk", "hit/4k", tier: .disk, bodyCount: 4096)
            let prepared = try SubjectBenchmarks.hit(type, work).prepare(context)
            var recorder = LatencyRecorder()
            if case .timed(let body) = prepared.body { body(500, &recorder) }
            #expect(recorder.histogram(of: .diskHit)?.count == 500, "\(type.name)")
            #expect(context.answers.count == 0, "\(type.name): \(context.answers.first)")
        }
        try exercise(Self.subjects[index])
    }

    @Test("opening a full tier finds the entries and reads no bodies")
    func openingAFullTierFindsTheEntriesAndReadsNoBodies() throws {
        let scratch = try ScratchDirectory()
        let context = RunContext(seed: 1, memoryCapacity: 0, diskCapacity: 4 << 20, directory: scratch.path)
        let work = SubjectCase("disk", "open/4k", tier: .disk, bodyCount: 4096)
        let prepared = try SubjectBenchmarks.open(TieredSubject.self, work).prepare(context)
        var recorder = LatencyRecorder()
        if case .timed(let body) = prepared.body { body(3, &recorder) }
        #expect(recorder.histogram(of: .computed)?.count == 3)
        #expect(context.answers.count == 0, "\(context.answers.first)")
        let figures = Dictionary(uniqueKeysWithValues: try prepared.figures().map { ($0.name, $0.value) })
        let entries = try #require(figures["entries"])
        #expect(entries > 900)
        #expect(try #require(figures["bytes read"]) < entries * 100)
    }

    @Test("every subject that claims durability is measured for it")
    func everySubjectThatClaimsDurabilityIsAskedForIt() {
        let rows = CacheGauge.benchmarks.flatMap(\.self).filter { $0.name.case == "store-flush/4k" }
        let able = Self.subjects.filter { $0.capabilities.contains(.durability) }.map { $0.name }
        #expect(Set(rows.map(\.name.subject)) == Set(able))
    }
}
