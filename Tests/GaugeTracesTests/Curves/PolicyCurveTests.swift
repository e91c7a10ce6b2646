import Foundation
import TestSupport
import Testing

@testable import GaugeSupport
@testable import GaugeTraces

@Suite("Curves of policies") struct PolicyCurveTests {
    private static func requests(seed: UInt64, count: Int = 20_000) -> [TraceRequest] {
        var stream = ZipfKeys(objects: 500, exponent: 0.8, seed: seed)
        let sizes = BodySizes.webLike(seed: seed)
        return stream.draw(count).map { TraceRequest(id: $0, size: sizes.size(of: $0)) }
    }

    private static func curve(
        of requests: [TraceRequest], policies: [PolicyKind], capacities: [Int], sample: KeySample? = nil,
        offline: [OfflinePolicy] = [], changes: SizeChanges = .version
    ) -> MissRatioCurve {
        var rules = AccessRules(sizes: BodySizes(.oneSize, seed: 1), urls: RequestURLs(seed: 1))
        rules.sizeChanges = changes
        var maker = MissRatioCurveMaker(
            unit: .bytes, capacities: capacities, policies: policies, offline: offline, sample: sample)
        for request in requests {
            if let hash = maker.hash(of: request.id) {
                maker.add(rules.access(request), hash: hash)
            } else {
                maker.pass(size: request.size ?? 0)
            }
        }
        return maker.curve()
    }

    @Test(
        "all policies and capacities at once have the hits of each policy alone",
        arguments: nightly([1, 2], else: [1]) as [UInt64])
    func together(seed: UInt64) {
        let requests = Self.requests(seed: seed)
        let capacities = [0, 50_000, 500_000, 5_000_000, 1 << 62]
        let curve = Self.curve(of: requests, policies: PolicyKind.all, capacities: capacities)
        #expect(curve.points.count == PolicyKind.all.count * capacities.count)
        for (index, point) in curve.points.enumerated() {
            let capacity = capacities[index % capacities.count]
            var policy = PolicyKind.all[index / capacities.count].type.init(capacity: min(capacity, 1 << 60))
            policy.reserve(500)
            var sum = HitSum()
            for request in requests {
                let (object, size) = (Int(request.id), request.size ?? 0)
                if policy.request(object) {
                    sum.add(size)
                } else if size <= capacity {
                    policy.store(object, size: size) { _, _ in }
                }
            }
            #expect(point.sum == sum, "\(point.policy) at \(capacity)")
        }
    }

    @Test("the policies that know the future have more hits than all others, and the upper bound has the most")
    func offline() throws {
        let requests = Self.requests(seed: 5)
        let curve = Self.curve(
            of: requests, policies: PolicyKind.all, capacities: [1_000_000], offline: OfflinePolicy.allCases)
        let hits = Dictionary(uniqueKeysWithValues: curve.points.map { ($0.policy, $0.sum.hits) })
        let belady = try #require(hits["belady"])
        for (policy, count) in hits where policy != "pfoo-l" && policy != "belady" {
            #expect(count < belady, "\(policy)")
        }
        #expect(try #require(hits["pfoo-l"]) >= belady)
        #expect(try #require(hits["gdsf"]) > #require(hits["lru"]))
    }

    @Test("a cache of any number of entries answers the second of two requests in a row, W-TinyLFU by its window")
    func pairs() {
        for capacity in Array(1...20) + [50, 99, 100, 101, 200] {
            var policy = WTinyLFUPolicy(capacity: capacity)
            policy.reserve(3_000)
            var hits = 0
            for object in 0..<3_000 {
                for _ in 0..<2 {
                    if policy.request(object) { hits += 1 } else { policy.store(object, size: 1) { _, _ in } }
                }
            }
            #expect(hits == 3_000 && policy.used <= capacity, "\(capacity)")
        }
    }

    @Test("where a changed size is updated, the entry has the new size from then on") func updates() {
        let requests = [(1, 10), (1, 30), (2, 70), (1, 30), (2, 71)].map { TraceRequest(id: $0, size: $1) }
        let curve = Self.curve(of: requests, policies: PolicyKind.all, capacities: [100], changes: .update)
        for point in curve.points { #expect(point.sum.hits == (point.policy == "w-tinylfu" ? 2 : 3), "\(point)") }
    }

    @Test(
        "no policy exceeds the upper bound, whatever a changed size means", arguments: SizeChanges.allCases,
        1...12 as ClosedRange<UInt64>)
    func boundOfChangedSizes(changes: SizeChanges, seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var stream = ZipfKeys(objects: 30, exponent: 0.7, seed: seed)
        let requests = stream.draw(600).map { key in
            TraceRequest(id: key, size: Int(random.next() % (random.next() % 3 == 0 ? 1_000 : 20)))
        }
        let curve = Self.curve(
            of: requests, policies: PolicyKind.all, capacities: [10, 100, 1_000], offline: OfflinePolicy.allCases,
            changes: changes)
        for point in curve.points {
            let bound = try #require(
                curve.points.first { $0.policy == "pfoo-l" && $0.capacity == point.capacity }?.sum)
            #expect(point.sum.hits <= bound.hits && point.sum.bytes <= bound.bytes, "\(point), \(bound)")
        }
    }

    @Test("the command draws several policies, and the report shows them") func command() throws {
        let scratch = try ScratchDirectory()
        let trace = "\(scratch.path)/trace"
        try Data("1 1 10\n2 2 20\n3 1 10\n4 3 5\n5 2 20\n".utf8).write(to: URL(filePath: trace))
        func mrc(_ arguments: String...) throws -> String {
            let run = try ChildRun("PlantedGauge", ["mrc", "--trace-format=webcachesim"] + arguments + [trace])
            #expect(run.status == 0, "\(run.errors)")
            return run.output
        }
        let csv = try mrc("--policy=gdsf,lru,pfoo-l", "--capacities=30", "--format=csv")
        #expect(
            csv.split(separator: "\n").map { $0.prefix { $0 != "." } } == [
                "policy,capacity_bytes,hits,hit_ratio,miss_ratio,byte_hit_ratio,byte_miss_ratio", "lru,30,1,0",
                "gdsf,30,1,0",
                "pfoo-l,30,2,0",
            ])
        let text = try mrc("--policy=all", "--capacities=30,60")
        #expect(text.contains("byte hit ratio, %") && text.contains("w-tinylfu") && text.contains("belady"))
        let json = "\(scratch.path)/curves.json"
        try Data(try mrc("--policy=all", "--capacities=30,60", "--format=json").utf8).write(to: URL(filePath: json))
        let page = "\(scratch.path)/page.html"
        let report = try ChildRun("PlantedGauge", ["report", "--output", page, json])
        #expect(report.status == 0, "\(report.errors)")
        #expect(try String(contentsOfFile: page, encoding: .utf8).contains("s3-fifo"))
        let wrong = try ChildRun("PlantedGauge", ["mrc", "--policy=gdfs", trace])
        #expect(wrong.status == 64 && wrong.errors.contains("did you mean gdsf?"), "\(wrong.errors)")
        let list = try ChildRun("PlantedGauge", ["policies"])
        #expect(PolicyKind.all.allSatisfy { list.output.contains($0.summary) })
    }
}
