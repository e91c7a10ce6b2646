import Testing

@testable import GaugeMeasurement
@testable import GaugeKit
@testable import GaugeTraces

@Suite("Settings of a replay") struct ReplaySettingsTests {
    private func settings(memory: Int, disk: Int, entries: Int? = nil) -> ReplaySettings {
        ReplaySettings(
            configuration: SubjectConfiguration(
                memoryCapacity: memory, diskCapacity: disk, directory: "", entryLimit: entries), seed: 1)
    }

    @Test("the longest body fills the larger tier, and is 256 MiB at most") func longest() {
        #expect(settings(memory: 10, disk: 30).longestBody == 30 && settings(memory: 30, disk: 10).longestBody == 30)
        #expect(settings(memory: 1 << 40, disk: 0).longestBody == 256 << 20)
        #expect(settings(memory: 10, disk: 30, entries: 5).longestBody == 64)
    }

    @Test("the bounds have the capacity of the tiers that the subject has, or its number of entries") func capacity() {
        let settings = settings(memory: 10, disk: 30)
        #expect(settings.boundedCapacity(of: [.memory, .disk]) == .bytes(40))
        #expect(settings.boundedCapacity(of: [.memory]) == .bytes(10))
        #expect(settings.boundedCapacity(of: [.disk]) == .bytes(30))
        #expect(self.settings(memory: .max, disk: 1).boundedCapacity(of: [.memory, .disk]) == .bytes(.max))
        #expect(self.settings(memory: 10, disk: 30, entries: 5).boundedCapacity(of: [.memory]) == .entries(5))
    }

    @Test("bodies have their size, but for a header, and one size where entries are counted") func bodies() {
        let (bytes, entries) = (settings(memory: 10, disk: 30), settings(memory: 10, disk: 30, entries: 5))
        #expect([0, 31, 33, 500].map { bytes.bodyCount(ofSize: $0) } == [32, 32, 33, 500])
        #expect([0, 31, 33, 500].map { entries.bodyCount(ofSize: $0) } == [64, 64, 64, 64])
        #expect(bytes.accessRules.countsBytes && !entries.accessRules.countsBytes)
    }

    @Test("the hits of a simulation are those of memory and, behind it, of the disk tier") func simulated() throws {
        let points = [(10, HitSum(hits: 3, bytes: 30)), (90, HitSum(hits: 5, bytes: 50))].map {
            MissRatioCurve.Point(policy: "lru", capacity: $0, sum: $1)
        }
        let curve = MissRatioCurve(unit: .bytes, points: points, requests: 9, requestedBytes: 100, objects: 4)
        let reader = try TraceReader(TraceInput(name: "t", bytes: Array("key,size\n".utf8)), format: .csv)
        let result = ReplayResult(
            simulated: curve, reader, AccessRules(sizes: BodySizes(.oneSize, seed: 1), urls: RequestURLs(seed: 1)),
            unsized: (requests: 7, bodiless: 2), isStopped: true)
        #expect(result.counts.memoryHits == 3 && result.counts.diskHits == 2 && result.counts.misses == 4)
        #expect(result.counts.requestedBytes == 100 && result.counts.hitBytes == 50)
        #expect(result.unsized == 7 && result.bodiless == 2 && result.isStopped && result.skipped == 0)
    }
}
