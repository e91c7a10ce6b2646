import TestSupport
import Testing

@testable import GaugeMeasurement
@testable import GaugeKit
@testable import GaugeSupport
@testable import GaugeTraces

@Suite("Replay of traces") struct ReplayTests {
    private func settings(
        memory: Int = 1 << 20, disk: Int = 0, entries: Int? = nil, directory: String = ""
    ) -> ReplaySettings {
        ReplaySettings(
            configuration: SubjectConfiguration(
                memoryCapacity: memory, diskCapacity: disk, directory: directory, entryLimit: entries), seed: 1)
    }

    private func replay<Subject: CacheSubject>(
        _ type: Subject.Type, _ bytes: [UInt8], _ format: TraceFormat, _ settings: ReplaySettings,
        answers: Answers = Answers(), isStopped: () -> Bool = { false }
    ) throws -> ReplayResult {
        var reader = try TraceReader(TraceInput(name: "t", bytes: bytes), format: format)
        return try Replay.run(type, &reader, settings: settings, answers: answers, isStopped: isStopped)
    }

    private func be32(_ keys: [UInt64]) -> [UInt8] {
        keys.flatMap { key in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: key >> $0) } }
    }

    @Test("counting entries gives exactly the hits of LRU", arguments: [1, 16, 256])
    func countingEntriesGivesExactlyTheHitsOfLRU(entries: Int) throws {
        var stream = ZipfKeys(objects: 2000, exponent: 0.9, seed: 5)
        let keys = stream.draw(10_000)
        var lru = ExactLRU(capacity: .entries(entries))
        var hits = 0
        for key in keys where lru.access(key) { hits += 1 }
        let result = try replay(HonestSubject.self, be32(keys), .be32, settings(entries: entries))
        #expect(result.counts.hits == hits && result.counts.memoryHits == hits)
        #expect(result.counts.requests == 10_000 && result.counts.misses == 10_000 - hits)
        #expect(result.latency[.memoryHit].map { Int($0.count) } ?? 0 == hits)
    }

    @Test("a hit whose tier the cache does not tell is counted under neither tier") func hitsOfAnUnknownTier() throws {
        let result = try replay(SilentSubject.self, be32([1, 2, 1, 1, 2]), .be32, settings(disk: 1 << 20))
        #expect(result.counts.unknownTierHits == 3 && result.counts.memoryHits == 0 && result.counts.diskHits == 0)
        #expect(result.counts.hits == 3 && result.counts.hitRatio == 0.6)
        #expect(result.latency[.hit]?.count == 3 && result.latency[.memoryHit] == nil)
        #expect(result.counts.tiers.map(\.name) == ["hits of unknown tier"])
    }

    @Test("of a cache that does not tell, a hit is one of the only tier that is on") func hitOfTheOnlyTier() {
        var configuration = SubjectConfiguration(memoryCapacity: 1, diskCapacity: 1, directory: "")
        #expect(configuration.hitOfUnknownTier == .hit)
        configuration.memoryCapacity = 0
        #expect(configuration.hitOfUnknownTier == .diskHit)
        configuration.diskCapacity = 0
        #expect(configuration.hitOfUnknownTier == .memoryHit)
        configuration = SubjectConfiguration(memoryCapacity: 0, diskCapacity: 0, directory: "", entryLimit: 5)
        #expect(configuration.hitOfUnknownTier == .memoryHit)
    }

    @Test("requests whose size is not stated are counted, in blocks and one by one") func unsized() throws {
        var settings = settings()
        for pace in [ReplayPace.closedLoop, .evenly(rate: 1e9)] {
            settings.pace = pace
            #expect(try replay(HonestSubject.self, be32([1, 2, 1]), .be32, settings).unsized == 3)
            let trace = Array("key,size\n1,100\n2,300\n1,100\n".utf8)
            #expect(try replay(HonestSubject.self, trace, .csv, settings).unsized == 0)
        }
    }

    @Test("bytes of hits are counted by the sizes of the trace")
    func bytesOfHitsAreCountedByTheSizesOfTheTrace() throws {
        let trace = Array("key,size\n1,100\n2,300\n1,100\n3,5\n3,5\n".utf8)
        let result = try replay(HonestSubject.self, trace, .csv, settings())
        #expect(result.counts.hits == 2 && result.counts.misses == 3)
        #expect(result.counts.requestedBytes == 510 && result.counts.hitBytes == 105)
        #expect(result.counts.hitRatio == 0.4)
        #expect(result.counts.byteHitRatio == 105.0 / 510.0)
    }

    @Test("bodies of a trace without sizes are of 4 KiB each, and Belady's MIN is then exact", arguments: [1, 2, 3])
    func oneSize(capacity: Int) throws {
        var random = SplitMix64(seed: 21)
        for _ in 0..<100 {
            let keys = (0..<9).map { _ in random.next() % 4 }
            let best = BestChoices.best(keys.map { BestChoices.Request(object: Int($0)) }, capacity: capacity)
            let result = try replay(HonestSubject.self, be32(keys), .be32, settings(memory: capacity * 4096))
            #expect(result.bounds?.optimum == HitSum(hits: best, bytes: best * 4096), "\(keys)")
            #expect(result.counts.requestedBytes == 9 * 4096)
        }
    }

    @Test("bodies of a trace without sizes have those that the settings say, and where they differ there is no MIN")
    func statedSizes() throws {
        var settings = settings()
        settings.sizes = .webLike(seed: 5)
        let keys = (0..<200).map { UInt64($0 * $0 % 64) }
        let result = try replay(HonestSubject.self, be32(keys), .be32, settings)
        #expect(result.counts.requestedBytes == keys.reduce(0) { $0 + settings.sizes.size(of: $1) })
        #expect(result.bounds != nil && result.bounds?.optimum == nil)
    }

    @Test("a changed size makes the old body a miss and the new one a hit")
    func aChangedSizeMakesTheOldBodyAMissAndTheNewOneAHit() throws {
        let answers = Answers()
        let trace = Array("key,size\n1,100\n1,200\n1,200\n1,100\n1,5\n1,7\n1,7\n".utf8)
        let result = try replay(HonestSubject.self, trace, .csv, settings(), answers: answers)
        #expect(result.counts.hits == 2 && result.counts.misses == 5 && result.outdated == 4)
        #expect(answers.count == 0)
    }

    @Test("a superseded body that comes back is a wrong answer")
    func aSupersededBodyThatComesBackIsAWrongAnswer() throws {
        let answers = Answers()
        let trace = Array("key,size\n1,100\n1,200\n1,200\n".utf8)
        let result = try replay(StuckSubject.self, trace, .csv, settings(), answers: answers)
        #expect(answers.count == 1 && result.counts.wrong == 1)
        #expect(result.counts.requests == 3)
    }

    @Test("bodies larger than any tier are counted as misses without being made")
    func bodiesLargerThanAnyTierAreMissesThatAreNotMade() throws {
        let trace = Array("key,size\n1,9223372036854775807\n1,9223372036854775807\n2,2000000\n".utf8)
        let result = try replay(HonestSubject.self, trace, .csv, settings())
        #expect(result.tooLarge == 3 && result.counts.misses == 3)
        #expect(result.counts.requestedBytes == .max)
    }

    @Test("a subject that refuses a URL misses") func aSubjectThatRefusesAURLMisses() throws {
        let trace = Array("url\nftp://a.example/\nhttps://a.example/\nhttps://a.example/\n".utf8)
        let result = try replay(PickySubject.self, trace, .csv, settings())
        #expect(result.refused == 1 && result.counts.hits == 1 && result.counts.misses == 2)
    }

    @Test(
        "every kind of fault is found",
        arguments: [Lie.flippedBit, .oldVersion, .otherKeysBody, .hitWithoutBody, .error]
    )
    func liesAreFound(lie: Lie) throws {
        let answers = Answers()
        let trace = Array("key,size\n".utf8) + Array((0..<60).map { "\($0 % 4),\(100 + $0 / 30)\n" }.joined().utf8)
        let result = try replay(LyingSubject.self, trace, .csv, settings(directory: lie.rawValue), answers: answers)
        #expect(answers.count > 0 && result.counts.wrong > 0)
    }

    @Test("damage in the middle ends the replay and names its position")
    func damageInTheMiddleEndsTheReplayWithItsPlace() throws {
        let error = #expect(throws: TraceError.self) {
            try replay(HonestSubject.self, Array("key\n1\n\n\"\n".utf8), .csv, settings())
        }
        #expect(error?.place == .line(4))
    }

    @Test("with a rate requests are sent when they are due, and times count from then") func openLoop() throws {
        var settings = settings()
        settings.pace = .evenly(rate: 1_000)
        var waited: [UInt64] = []
        var reader = try TraceReader(TraceInput(name: "t", bytes: be32([1, 2, 1, 1])), format: .be32)
        let result = try Replay.run(
            HonestSubject.self, &reader, settings: settings, answers: Answers(), wait: { waited.append($0) })
        #expect(result.counts.hits == 2 && result.counts.misses == 2)
        let times = try #require(result.openLoop)
        #expect(times.service.count == 4 && times.response.count == 4)
        #expect(times.response.maximum >= times.service.maximum)
        // Requests are due a millisecond apart, so no wait is longer, however long the requests take.
        #expect(waited.count <= 3 && waited.allSatisfy { $0 <= 1_000_000 })
        #expect(try replay(HonestSubject.self, be32([1]), .be32, self.settings()).openLoop == nil)
    }

    @Test("a trace without times cannot be replayed at its times") func noTimes() throws {
        var settings = settings()
        settings.pace = .traceTimes(speedup: 1)
        for (trace, format) in [(be32([1, 2, 1]), .be32), (Array("key,size\n1,5\n1,5\n".utf8), .csv)]
            as [([UInt8], TraceFormat)]
        {
            let error = #expect(throws: TraceError.self) {
                try replay(HonestSubject.self, trace, format, settings)
            }
            #expect(error?.trace == "t" && error?.place == .whole)
            #expect(error?.reason == "has no times; leave out --times, or send its requests evenly with --rate")
        }
    }

    @Test("a stopped replay says so and keeps its counts") func aStoppedReplaySaysSoAndKeepsItsCounts() throws {
        let result = try replay(HonestSubject.self, be32(Array(0..<5000)), .be32, settings(), isStopped: { true })
        // A block has room for 1,024 requests, and for some more where the allocator gives more memory than it was
        // asked for.
        #expect(result.isStopped && (1024..<2048).contains(result.counts.requests))
    }
}

/// Keeps the first body of every key forever.
private final class StuckSubject: CacheSubject {
    static let name = "stuck"
    static let capabilities: SubjectCapabilities = [.memory]
    private var bodies: [String: [UInt8]] = [:]
    init(_ configuration: SubjectConfiguration) {}
    func key(for url: String) -> String { url }
    func remove(_ key: String) { bodies[key] = nil }
    func store(_ body: UnsafeRawBufferPointer, for key: String) -> Outcome {
        if bodies[key] == nil { bodies[key] = Array(body) }
        return .store
    }
    func lookUp(_ key: String, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome {
        guard let body = bodies[key] else { return .miss }
        body.withUnsafeBytes(read)
        return .memoryHit
    }
}

/// Has two tiers, and does not report which one answered.
private final class SilentSubject: CacheSubject {
    static let name = "silent"
    static let capabilities: SubjectCapabilities = [.memory, .disk]
    private let hit: Outcome
    private var bodies: [String: [UInt8]] = [:]
    init(_ configuration: SubjectConfiguration) { hit = configuration.hitOfUnknownTier }
    func key(for url: String) -> String { url }
    func remove(_ key: String) { bodies[key] = nil }
    func store(_ body: UnsafeRawBufferPointer, for key: String) -> Outcome {
        bodies[key] = Array(body)
        return .store
    }
    func lookUp(_ key: String, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome {
        guard let body = bodies[key] else { return .miss }
        body.withUnsafeBytes(read)
        return hit
    }
}

/// Accepts only https.
private final class PickySubject: CacheSubject {
    struct Refusal: Error {}
    static let name = "picky"
    static let capabilities: SubjectCapabilities = [.memory]
    private let honest: HonestSubject
    init(_ configuration: SubjectConfiguration) { honest = HonestSubject(configuration) }
    func key(for url: String) throws -> UInt64 {
        guard url.hasPrefix("https://") else { throw Refusal() }
        return honest.key(for: url)
    }
    func remove(_ key: UInt64) { honest.remove(key) }
    func store(_ body: UnsafeRawBufferPointer, for key: UInt64) -> Outcome { honest.store(body, for: key) }
    func lookUp(_ key: UInt64, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome { honest.lookUp(key, read) }
}
