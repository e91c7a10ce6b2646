import Foundation
import TestSupport
import Testing

@testable import GaugeSupport
@testable import GaugeTraces

@Suite("Two simulated tiers") struct TwoTierTests {
    @Test(
        "every policy before a disk tier has the hits and the usage of a slow model",
        arguments: PolicyKind.all.map(\.name), TierArrangement.allCases)
    func models(name: String, arrangement: TierArrangement) throws {
        let kind = try #require(PolicyKind.all.first { $0.name == name })
        Self.compareWithModel(kind.type, arrangement)
    }

    private static func compareWithModel<Policy: SimulatedPolicy>(
        _ type: Policy.Type, _ arrangement: TierArrangement
    ) {
        for (memory, disk) in [(0, 0), (0, 300), (90, 0), (60, 240), (240, 60), (300, 300), (2_000, 4_000)] {
            let capacities = (
                TierCapacity(memory, mostAdmitted: memory / 2), TierCapacity(disk, mostAdmitted: disk / 3)
            )
            var tiers = TwoTiers<Policy>(arrangement, memory: capacities.0, disk: capacities.1)
            var model = TwoTierModel(type, arrangement, memory: capacities.0, disk: capacities.1)
            tiers.reserve(TwoTierModel.objects)
            model.memory.reserve(TwoTierModel.objects)
            var random = SplitMix64(seed: UInt64(memory + 3 * disk))
            for step in 0..<3_000 {
                let object = Int(random.next() % UInt64(TwoTierModel.objects))
                var size = object * object / 20
                let kind = random.next() % 64
                if kind == 0 {
                    tiers.remove(object)
                    model.remove(object)
                    continue
                }
                if kind == 1 {
                    let scale = 0.5 + Double(random.next() % 8) / 8
                    let (memory, disk) = (Int(Double(memory) * scale), Int(Double(disk) * scale))
                    let (one, two) = (TierCapacity(memory), TierCapacity(disk, mostAdmitted: disk / 2))
                    tiers.resize(memory: one, disk: two)
                    model.resize(memory: one, disk: two)
                    continue
                }
                if kind < 6 { size += Int(random.next() % 50) }
                let (isHit, expected) = (tiers.request(object), model.request(object))
                #expect(isHit == expected, "step \(step) of \(memory) and \(disk)")
                guard isHit == expected else { return }
                if !isHit || kind < 6 {
                    guard size <= max(model.capacities.memory.largest, model.capacities.disk.largest) else {
                        tiers.remove(object)
                        model.remove(object)
                        continue
                    }
                    if isHit { tiers.replace(object, size: size) } else { tiers.store(object, size: size) }
                    model.store(object, size: size)
                }
                #expect(tiers.used == model.used, "step \(step) of \(memory) and \(disk)")
                guard tiers.used == model.used else { return }
            }
        }
    }

    private static func curve(_ keys: [UInt64], capacities: [Int], disk: Int?) -> MissRatioCurve {
        var rules = AccessRules(sizes: BodySizes(.oneSize, seed: 1), urls: RequestURLs(seed: 1))
        rules.countsBytes = false
        var maker = MissRatioCurveMaker(unit: .entries, capacities: capacities, disk: disk)
        for key in keys { maker.add(rules.access(TraceRequest(id: key))) }
        return maker.curve()
    }

    @Test("by entries, exclusive tiers have the hits of one tier of both capacities, and inclusive ones at most these")
    func exclusion() throws {
        var stream = ZipfKeys(objects: 3_000, exponent: 0.8, seed: 4)
        let keys = stream.draw(30_000)
        let tiers = Self.curve(keys, capacities: [1, 50, 400], disk: 500)
        let together = Self.curve(keys, capacities: [501, 550, 900], disk: nil).points.map(\.sum.hits)
        let alone = Self.curve(keys, capacities: [1, 50, 400], disk: nil).points.map(\.sum.hits)
        func hits(_ policy: String) -> [Int] { tiers.points.filter { $0.policy == policy }.map(\.sum.hits) }
        #expect(hits("lru") == alone)
        #expect(hits("lru exclusive") == together)
        for (inclusive, together) in zip(hits("lru inclusive"), together) { #expect(inclusive < together) }
        for (inclusive, alone) in zip(hits("lru inclusive"), alone) { #expect(inclusive > alone) }
    }

    @Test("the command shows memory alone and both arrangements, from a sample as well, and its results are merged")
    func command() throws {
        let scratch = try ScratchDirectory()
        let trace = "\(scratch.path)/trace"
        var stream = ZipfKeys(objects: 400, exponent: 0.7, seed: 4)
        try Data(stream.draw(4_000).map { "\($0)\n" }.joined().utf8).write(to: URL(filePath: trace))
        func mrc(_ arguments: String...) throws -> ChildRun {
            try ChildRun("PlantedGauge", ["mrc"] + arguments)
        }
        let options = ["--trace-format=ids", "--by=entries", "--capacities=20,100", "--two-tier=200"]
        let text = try ChildRun("PlantedGauge", ["mrc"] + options + ["--policy=lru,gdsf,belady", trace])
        #expect(text.status == 0, "\(text.errors)")
        for part in ["lru inclusive", "gdsf exclusive", "belady", "200 entries behind the memory of each line"] {
            #expect(text.output.contains(part), "\(text.output)")
        }
        for shard in ["1", "2"] {
            let run = try ChildRun("PlantedGauge", ["mrc"] + options + ["--shard=\(shard)/2", "--format=json", trace])
            #expect(run.status == 0, "\(run.errors)")
            try Data(run.output.utf8).write(to: URL(filePath: trace + shard))
        }
        let merged = try mrc("--merge", trace + "1", trace + "2")
        #expect(merged.status == 0 && merged.output.contains("lru exclusive"), "\(merged.output)\(merged.errors)")
    }
}

/// Two tiers with a list as the disk, the oldest entry first, and the memory's policy itself, which has a model
/// elsewhere.
private struct TwoTierModel {
    static let objects = 50

    let arrangement: TierArrangement
    var memory: any SimulatedPolicy
    var capacities: (memory: TierCapacity, disk: TierCapacity)
    var inMemory: Set<Int> = []
    var disk: [(object: Int, size: Int)] = []

    init(_ policy: any SimulatedPolicy.Type, _ arrangement: TierArrangement, memory: TierCapacity, disk: TierCapacity) {
        self.arrangement = arrangement
        self.memory = policy.init(capacity: memory.capacity)
        capacities = (memory, disk)
    }

    var used: (memory: Int, disk: Int) { (memory.used, disk.reduce(0) { $0 + $1.size }) }

    mutating func request(_ object: Int) -> Bool {
        if memory.request(object) { return true }
        guard let place = disk.firstIndex(where: { $0.object == object }) else { return false }
        let entry = disk.remove(at: place)
        if arrangement == .inclusive || entry.size > capacities.memory.largest { disk.append(entry) }
        if entry.size <= capacities.memory.largest { putInMemory(object, size: entry.size) }
        return true
    }

    mutating func store(_ object: Int, size: Int) {
        disk.removeAll { $0.object == object }
        let fitsMemory = size <= capacities.memory.largest
        if arrangement == .inclusive || !fitsMemory { putOnDisk(object, size: size) }
        if fitsMemory {
            putInMemory(object, size: size)
        } else {
            memory.remove(object)
            inMemory.remove(object)
        }
    }

    mutating func remove(_ object: Int) {
        memory.remove(object)
        inMemory.remove(object)
        disk.removeAll { $0.object == object }
    }

    mutating func resize(memory: TierCapacity, disk: TierCapacity) {
        capacities = (memory, disk)
        trimDisk()
        var evicted: [(Int, Int)] = []
        self.memory.resize(to: memory.capacity) { evicted.append(($0, $1)) }
        leave(evicted)
    }

    private mutating func putInMemory(_ object: Int, size: Int) {
        var evicted: [(Int, Int)] = []
        if inMemory.contains(object) {
            memory.replace(object, size: size) { evicted.append(($0, $1)) }
        } else {
            memory.store(object, size: size) { evicted.append(($0, $1)) }
        }
        inMemory.insert(object)
        leave(evicted)
    }

    private mutating func leave(_ evicted: [(object: Int, size: Int)]) {
        for entry in evicted {
            inMemory.remove(entry.object)
            if arrangement == .exclusive { putOnDisk(entry.object, size: entry.size) }
        }
    }

    private mutating func putOnDisk(_ object: Int, size: Int) {
        guard size <= capacities.disk.largest else { return }
        disk.append((object, size))
        trimDisk()
    }

    private mutating func trimDisk() { while used.disk > capacities.disk.capacity { disk.removeFirst() } }
}
