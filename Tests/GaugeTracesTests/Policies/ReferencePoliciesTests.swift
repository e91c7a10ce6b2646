import TestSupport
import Testing

@testable import GaugeTraces

/// The policies beside libCacheSim 0.3.5 and Caffeine 2.6.2, whose misses over two traces were recorded: at 8, 16, 32,
/// 64 and 128 MiB, in ten-thousandths of the requests. `results/policies.md` has the table.
@Suite("Policies as their authors run them") struct ReferencePoliciesTests {
    /// Where the recorded misses of each time stand: all of them each night.
    private static let places = nightly([0, 1, 2, 3, 4], else: [1, 3])
    private static let capacities = places.map { 8 << (20 + $0) }
    /// Half a point.
    private static let tolerance = 50

    struct Reference: Sendable {
        let policy: String
        let trace: ReferenceTrace
        let misses: [Int]

        init(_ policy: String, _ trace: ReferenceTrace, _ misses: [Int]) {
            (self.policy, self.trace, self.misses) = (policy, trace, places.map { misses[$0] })
        }
    }

    /// libCacheSim's LRU, FIFO, Sieve, S3FIFO and GDSF.
    private static let same = [
        Reference("lru", .popular, [7713, 7077, 6261, 5206, 3866]),
        Reference("fifo", .popular, [7929, 7343, 6580, 5584, 4250]),
        Reference("sieve", .popular, [6661, 6169, 5444, 4579, 3455]),
        Reference("s3-fifo", .popular, [6662, 6060, 5333, 4499, 3480]),
        Reference("gdsf", .popular, [5699, 4835, 3889, 2960, 2099]),
        Reference("lru", .mixed, [9075, 8722, 8240, 7591, 6695]),
        Reference("fifo", .mixed, [9172, 8845, 8396, 7791, 6965]),
        Reference("sieve", .mixed, [8983, 8761, 8395, 7862, 6941]),
        Reference("s3-fifo", .mixed, [8649, 8341, 7926, 7320, 6367]),
        Reference("gdsf", .mixed, [7919, 7262, 6496, 5706, 4927]),
    ]

    /// W-TinyLFU of libCacheSim, and then of Caffeine: both compare a candidate with one victim after the other, where
    /// ours, as its authors' later paper has it, compares it with all that have to go.
    private static let others = [
        Reference("w-tinylfu", .popular, [6292, 5889, 5065, 4147, 3068]),
        Reference("w-tinylfu", .popular, [6605, 6014, 5258, 4345, 3279]),
        Reference("w-tinylfu", .mixed, [8428, 8112, 7617, 6910, 5944]),
        Reference("w-tinylfu", .mixed, [8723, 8398, 7960, 7341, 6334]),
    ]

    private static func misses(_ reference: Reference) throws -> [Int] {
        let kind = try #require(PolicyKind.all.first { $0.name == reference.policy })
        let objects = reference.trace.objects
        var maker = MissRatioCurveMaker(unit: .bytes, capacities: capacities, policies: [kind], usesDistances: false)
        var rules = AccessRules(sizes: BodySizes(.oneSize, seed: 1), urls: RequestURLs(seed: 1))
        for object in objects {
            maker.add(rules.access(TraceRequest(id: UInt64(object), size: ReferenceTrace.size(object))))
        }
        return maker.curve().points.map { ((objects.count - $0.sum.hits) * 10_000 + objects.count / 2) / objects.count }
    }

    @Test(
        "a policy misses as often as in the simulator of reference, within half a point",
        arguments: isNightly ? same : same.enumerated().filter { $0.offset % 3 == 0 }.map(\.element))
    func agreement(reference: Reference) throws {
        let misses = try Self.misses(reference)
        let differences = zip(misses, reference.misses).map { abs($0 - $1) }
        #expect(differences.allSatisfy { $0 <= Self.tolerance }, "\(reference): \(misses)")
    }

    @Test(
        "with Caffeine's window and its comparison with the first victim alone, W-TinyLFU misses as often as Caffeine",
        arguments: nightly([others[1], others[3]], else: [others[1]]))
    func rulesThatDiffer(reference: Reference) {
        let objects = reference.trace.objects
        let misses = Self.capacities.map {
            (CaffeineRules.misses(objects, capacity: $0, size: ReferenceTrace.size) * 10_000 + objects.count / 2)
                / objects.count
        }
        let differences = zip(misses, reference.misses).map { abs($0 - $1) }
        #expect(differences.allSatisfy { $0 <= Self.tolerance }, "\(reference): \(misses)")
    }

    @Test(
        "W-TinyLFU by bytes misses no more than the others', within half a point",
        arguments: nightly(others, else: [others[0]]))
    func noWorse(reference: Reference) throws {
        let misses = try Self.misses(reference)
        #expect(zip(misses, reference.misses).allSatisfy { $0 <= $1 + Self.tolerance }, "\(reference): \(misses)")
    }
}
