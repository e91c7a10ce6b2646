import Testing

@testable import GaugeTraces

@Suite("Running simulations") struct RunningSimulationTests {
    /// Applies accesses one after the other, and returns whether each was a hit.
    private func hits(_ simulation: RunningSimulation, _ accesses: [SimulatedAccess]) -> [Bool] {
        accesses.map { access in
            let before = simulation.sum().hits
            [access].withUnsafeBufferPointer { simulation.apply($0, 8) }
            return simulation.sum().hits > before
        }
    }

    private func get(
        _ object: Int, _ cost: Int, effect: SimulatedAccess.Effect = .stores, mayBeAnswered: Bool = true
    ) -> SimulatedAccess {
        SimulatedAccess(
            object: object, size: cost, cost: cost, now: 0, effect: effect, mayBeAnswered: mayBeAnswered,
            isChanged: false)
    }

    @Test("a scaled tier has its part of the capacity, and admits what the whole one would") func scales() {
        let capacity = NamedCapacity(capacity: 1_000, share: 20)
        #expect(capacity.tier(scale: 1) == TierCapacity(1_000, mostAdmitted: 50))
        #expect(capacity.tier(scale: 0.25) == TierCapacity(250, mostAdmitted: 50))
        // No entry is larger than the scaled tier itself.
        #expect(capacity.tier(scale: 0.0146) == TierCapacity(15, mostAdmitted: 15))
    }

    @Test("an object larger than a tier that was made smaller is not stored, and evicts nothing") func rescaling() {
        let lru = PolicyKind.lru
        let simulation = lru.simulation(NamedCapacity(capacity: 1_000, share: 1), nil, 1)
        #expect(hits(simulation, [get(0, 600), get(0, 600)]) == [false, true])
        simulation.rescale(0.5)
        #expect(hits(simulation, [get(1, 100), get(0, 600), get(0, 600), get(1, 100)]) == [false, false, false, true])
    }

    /// The response to a request that no stored one may answer takes the place of a stored one.
    @Test("a new response takes the place of the stored one, and is counted once", arguments: PolicyKind.all.indices)
    func replacement(policy: Int) {
        let simulation = PolicyKind.all[policy].simulation(NamedCapacity(capacity: 20, share: 1), nil, 1)
        let accesses = [
            get(0, 9), get(0, 9, mayBeAnswered: false), get(0, 9, mayBeAnswered: false), get(0, 9), get(1, 9),
        ]
        #expect(hits(simulation, accesses).prefix(4) == [false, false, false, true])
        // Two objects of 9 fit into 20.
        #expect(hits(simulation, [get(0, 9)]) == [true], "\(PolicyKind.all[policy].name)")
    }

    @Test("a response that grew beyond the tier removes the stored one, and one that may not be stored does so too")
    func removal() {
        for access in [get(0, 21), get(0, 5, effect: .removes)] {
            let simulation = PolicyKind.lru.simulation(NamedCapacity(capacity: 20, share: 1), nil, 1)
            let changed = SimulatedAccess(
                object: 0, size: access.size, cost: access.cost, now: 0, effect: access.effect, mayBeAnswered: true,
                isChanged: true)
            #expect(hits(simulation, [get(0, 5), changed, get(0, 5), get(0, 5)]) == [false, false, false, true])
        }
    }

    @Test("a sample that is narrowed keeps just so many of its hashes, the smallest") func narrowing() {
        for (shard, shards) in [(0, 1), (2, 3)] {
            var sample = KeySample(seed: 5, mostKeys: 30, shard: shard, of: shards)
            let hashes = (0..<100).compactMap { sample.hash(of: $0) }
            let before = sample.rate
            sample.narrow(to: hashes.count, of: hashes)
            #expect(sample.rate == before)
            sample.narrow(to: 20, of: hashes)
            #expect(hashes.filter { sample.contains($0) }.sorted() == Array(hashes.sorted().prefix(20)))
            #expect(sample.rate < before && (0..<100).count { sample.hash(of: $0) != nil } == 20)
        }
    }

    @Test("a sample of at most eight keys is narrowed to six by the ninth, and not before") func most() {
        var simulations = SampledSimulations(
            [.lru], capacities: [10], disk: nil, share: 1, sample: KeySample(seed: 1, mostKeys: 8))
        var rules = AccessRules(sizes: BodySizes(.oneSize, seed: 1), urls: RequestURLs(seed: 1))
        let hashes = (0..<9).compactMap { simulations.sample.hash(of: $0) }
        for (id, hash) in zip(0..<9 as Range<UInt64>, hashes) {
            #expect(simulations.sample.rate == 1)
            simulations.add(rules.access(TraceRequest(id: id, size: 1)), hash: hash, counted: 1)
        }
        #expect(hashes.filter { simulations.sample.contains($0) }.count == 6)
    }

    @Test("each key is in just one of the shards, which have a third of the keys each") func shards() {
        let samples = (0..<3).map { KeySample(seed: 5, shard: $0, of: 3) }
        let counts = samples.map { sample in (0..<3_000).count { sample.hash(of: $0) != nil } }
        #expect((0..<3_000).allSatisfy { id in samples.count { $0.hash(of: id) != nil } == 1 })
        // A standard deviation is 26.
        #expect(counts.allSatisfy { abs($0 - 1_000) < 130 }, "\(counts)")
    }

    @Test("hits are what misses leave, rounded to the nearest, from none to all") func estimates() {
        func hits(_ misses: Double, _ bytes: Double) -> HitSum {
            SampleEstimate(misses: misses, missedBytes: bytes, error: 0, byteError: 0).hits(of: 10, bytes: 1_000)
        }
        #expect(hits(3.4, 100.6) == HitSum(hits: 7, bytes: 899))
        #expect(hits(3.6, 100.4) == HitSum(hits: 6, bytes: 900))
        #expect(hits(11, 1_001) == HitSum() && hits(-1, -1) == HitSum(hits: 10, bytes: 1_000))
    }
}
