import Testing

@testable import GaugeMeasurement
@testable import GaugeKit
@testable import GaugeTraces

@Suite("Player of a workload") struct WorkloadPlayerTests {
    /// Sends 2,000 requests to a cache with room for all objects.
    private func play<Subject: CacheSubject>(
        _ operations: OperationMix, duplicates: Double = 0, on type: Subject.Type = HonestSubject.self
    ) throws -> (counts: HitCounts, stores: Int, removals: Int, wrong: Int) {
        var plan = WorkloadPlan()
        plan.objects = 50
        plan.sizes = .constant(200)
        (plan.operations, plan.duplicates) = (operations, duplicates)
        let context = RunContext(seed: 1, memoryCapacity: 1 << 20, diskCapacity: 0, directory: "")
        let player = try WorkloadPlayer(type, .memory, Workload(plan, seed: 1), context)
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

    @Test("a cache that ignores removals, or stores, answers wrongly as soon as a workload has some")
    func ignored() throws {
        let removals = OperationMix(read: 5, remove: 2)
        #expect(try play(removals, on: Ignoring<Removals>.self).wrong > 100)
        #expect(try play(OperationMix(read: 5, store: 2), on: Ignoring<Replacements>.self).wrong > 100)
        for mix in [OperationMix(read: 5, store: 2), OperationMix(read: 1), removals] {
            let right = try play(mix, on: Ignoring<Nothing>.self)
            #expect(right.wrong == 0 && (right.removals > 400) == (mix == removals), "\(right)")
        }
        #expect(try play(OperationMix(read: 5, store: 2), on: Ignoring<Removals>.self).wrong == 0)
        #expect(try play(removals, on: Ignoring<Replacements>.self).wrong == 0)
    }

    @Test("a workload of reads alone stores and removes nothing that was not missing") func reads() throws {
        let (counts, stores, removals, wrong) = try play(OperationMix(read: 2))
        #expect(counts.requests == 2_000 && stores == counts.misses && removals == 0 && wrong == 0)
    }

    @Test("duplicates are two requests of one moment, for the given part of the reads") func duplicates() throws {
        let (counts, _, _, wrong) = try play(OperationMix(read: 1), duplicates: 0.25)
        #expect((2_430...2_570).contains(counts.requests) && wrong == 0, "\(counts.requests)")
    }
}

/// What a subject leaves undone.
private protocol Ignored {}
private enum Nothing: Ignored {}
private enum Removals: Ignored {}
private enum Replacements: Ignored {}

private final class Ignoring<What: Ignored>: CacheSubject {
    static var name: String { "ignoring" }
    static var capabilities: SubjectCapabilities { .memory }
    private var bodies: [String: [UInt8]] = [:]

    init(_ configuration: SubjectConfiguration) {}
    func key(for url: String) -> String { url }
    func lookUp(_ key: String, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome {
        guard let body = bodies[key] else { return .miss }
        body.withUnsafeBytes(read)
        return .memoryHit
    }
    func store(_ body: UnsafeRawBufferPointer, for key: String) -> Outcome {
        if What.self != Replacements.self || bodies[key] == nil { bodies[key] = Array(body) }
        return .store
    }
    func remove(_ key: String) { if What.self != Removals.self { bodies[key] = nil } }
}
