import TestSupport
import Testing

@testable import GaugeSupport
@testable import GaugeTraces

/// Every policy over the same requests, each decision written down. The rules come from papers, whose results the
/// curves are compared with; here a slip in one of their steps shows at once.
@Suite("Recorded decisions of the policies") struct RecordedPoliciesTests {
    private enum Step {
        case request(Int), remove(Int), replace(Int, size: Int), resize(Double)
    }

    /// Popular objects, runs of objects that are asked for once, a loop, removals, new versions and other capacities.
    private static func steps(seed: UInt64) -> [Step] {
        var popular = ZipfKeys(objects: 400, exponent: 0.9, seed: seed)
        var random = Xoshiro256(seed: seed, "policies")
        var steps: [Step] = []
        for number in 0..<9_000 {
            let object =
                switch number / 500 % 4 {
                case 1 where number % 3 == 0: 400 + number / 3
                case 3: number % 150
                default: Int(popular.next())
                }
            steps.append(.request(object))
            switch random.next(below: 60) {
            case 0: steps.append(.remove(Int(popular.next())))
            case 1: steps.append(.replace(object, size: 1 + Int(random.next(below: 90))))
            default: break
            }
            if number % 2_000 == 1_999 { steps.append(.resize(number % 4_000 == 1_999 ? 0.5 : 1)) }
        }
        return steps
    }

    private static func run<Policy: SimulatedPolicy>(_ type: Policy.Type, capacity: Int, isSized: Bool) -> String {
        var policy = Policy(capacity: capacity)
        policy.reserve(3_500)
        let sizes = BodySizes(.lognormal(mu: 3, sigma: 1, minimum: 1, maximum: 400), seed: 4)
        let transcript = Transcript()
        // The objects held by the account of the caller, and the steps after which the policy's differs.
        var held: [Int: Int] = [:]
        var (hits, room, sum, faults) = (0, capacity, 0, 0)
        func hold(_ object: Int, _ size: Int) { sum += size - (held.updateValue(size, forKey: object) ?? 0) }
        func gone(_ object: Int, _ size: Int) {
            transcript.add("out \(object)")
            if held[object] != size { faults += 1 }
            sum -= held.removeValue(forKey: object) ?? 0
        }
        for step in steps(seed: 3) {
            switch step {
            case .request(let object):
                let isHit = policy.request(object)
                if isHit != (held[object] != nil) { faults += 1 }
                let size = isSized ? sizes.size(of: UInt64(object)) : 1
                if isHit {
                    hits += 1
                    transcript.add("hit \(object)")
                } else if size <= room {
                    hold(object, size)
                    policy.store(object, size: size, evicted: gone)
                }
            case .remove(let object):
                policy.remove(object)
                sum -= held.removeValue(forKey: object) ?? 0
            case .replace(let object, let size):
                guard held[object] != nil, isSized, size <= room else { continue }
                hold(object, size)
                policy.replace(object, size: size, evicted: gone)
            case .resize(let part):
                room = Int(Double(capacity) * part)
                policy.resize(to: room, evicted: gone)
            }
            if policy.used != sum || sum > room { faults += 1 }
        }
        #expect(faults == 0, "\(Policy.name)")
        return "\(hits) hits, \(policy.used) held, \(transcript.summary())"
    }

    @Test(
        "each policy keeps and evicts the objects that were recorded, and counts what it holds",
        arguments: [false, true])
    func decisions(isSized: Bool) {
        var text = ""
        for kind in PolicyKind.all {
            for entries in [10, 60, 250] {
                let capacity = isSized ? entries * 30 : entries
                text += "\(kind.name) \(capacity): \(Self.run(kind.type, capacity: capacity, isSized: isSized))\n"
            }
        }
        let name = isSized ? "bytes" : "entries"
        #expect(RecordedText.differences(of: text, from: "Steps/policies-\(name).txt") == [])
    }

    @Test("each preset asks for the objects, sizes, headers and times that were recorded, and is written as it was")
    func presets() {
        var text = ""
        for plan in WorkloadPlan.presets {
            let workload = Workload(plan, seed: 2)
            let (transcript, urls) = (Transcript(), RequestURLs(seed: 2))
            var (stream, random) = (workload.keys(), Xoshiro256(seed: 2, "presets"))
            for _ in 0..<400 {
                let id = stream.next()
                transcript.add("visit \(stream.beginsVisit) \(id) \(workload.sizes.size(of: id)) \(urls.url(for: id))")
                transcript.add("header \(workload.headers(of: id))")
                let pause = Int(plan.revisit.draw(&random) * 1_000)
                transcript.add("pause \(pause) \(plan.operations.operation(at: random.nextUnit()))")
            }
            let resident = workload.resident(after: 2_000, of: &stream, capacity: 1 << 20, overhead: 100)
            transcript.add("resident \(resident)")
            text += "\(plan.name): \(plan)\n    \(workload)\n    \(transcript.summary())\n"
        }
        #expect(RecordedText.differences(of: text, from: "Steps/presets.txt") == [])
    }
}
