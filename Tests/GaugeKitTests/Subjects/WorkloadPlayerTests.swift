import Testing

@testable import GaugeMeasurement
@testable import GaugeKit
@testable import GaugeTraces

@Suite("Player of a workload") struct WorkloadPlayerTests {
    /// Sends 2,000 requests to a right cache with room for all objects.
    private func play(
        _ operations: OperationMix, duplicates: Double = 0
    ) throws -> (counts: HitCounts, stores: Int, removals: Int, wrong: Int) {
        var plan = WorkloadPlan()
        plan.objects = 50
        plan.sizes = .constant(200)
        (plan.operations, plan.duplicates) = (operations, duplicates)
        let context = RunContext(seed: 1, memoryCapacity: 1 << 20, diskCapacity: 0, directory: "")
        let player = try WorkloadPlayer(HonestSubject.self, .memory, Workload(plan, seed: 1), context)
        var counts = HitCounts()
        var recorder = LatencyRecorder()
        for _ in 0..<2_000 { player.request(&counts, &recorder) }
        let (stores, removals) = (recorder.histogram(of: .store), recorder.histogram(of: .remove))
        return (counts, Int(stores?.count ?? 0), Int(removals?.count ?? 0), context.answers.count)
    }

    @Test("operations are drawn by their weights, and what was stored or removed is expected from then on")
    func mixed() throws {
        let (counts, stores, removals, wrong) = try play(OperationMix(read: 5, store: 3, remove: 2))
        #expect((930...1_070).contains(counts.requests), "\(counts.requests)")
        #expect((340...460).contains(removals), "\(removals)")
        // The stores that were drawn, and one for each miss.
        #expect(stores == 2_000 - counts.requests - removals + counts.misses)
        #expect(counts.misses > 0 && counts.memoryHits == counts.requests - counts.misses && wrong == 0)
    }

    @Test("a workload of reads alone stores and removes nothing that was not missing")
    func reads() throws {
        let (counts, stores, removals, wrong) = try play(OperationMix(read: 2))
        #expect(counts.requests == 2_000 && stores == counts.misses && removals == 0 && wrong == 0)
    }

    @Test("duplicates are two requests of one moment, for the given part of the reads")
    func duplicates() throws {
        let (counts, _, _, wrong) = try play(OperationMix(read: 1), duplicates: 0.25)
        #expect((2_430...2_570).contains(counts.requests) && wrong == 0, "\(counts.requests)")
    }
}
