import CacheTiers
import Foundation

/// Requests by Zipf for objects of lognormal sizes, as those of web objects are, and the hits that a policy would have.
struct PolicyWorkload {
    let requests: [Int]
    /// Bytes of each object's body.
    let sizes: [Int]

    init(seed: UInt64, objects: Int = 3_000, count: Int = 40_000) {
        requests = Zipf.stream(objects: objects, exponent: 0.8, count: count, seed: seed)
        var random = SplitMix64(state: seed &+ 100)
        func uniform() -> Double { (Double(random.next() >> 11) + 0.5) * 0x1p-53 }
        sizes = (0..<objects).map { _ in
            // Box and Muller's normal variate.
            let normal = (-2 * log(uniform())).squareRoot() * cos(2 * .pi * uniform())
            return min(max(Int(exp(7 + 1.2 * normal)), 1), 1 << 16)
        }
    }

    /// The hits by the rule of the policy: of all that is held the smallest worth goes, and of equal ones the oldest
    /// use.
    func simulatedHits(_ policy: EvictionPolicy, capacity: Int, cost: (Int) -> Int) -> Int {
        var held: [Int: (uses: Int, worth: Double, time: Int)] = [:]
        var (usage, age, hits) = (0, 0.0, 0)
        for (time, key) in requests.enumerated() {
            if held[key] != nil {
                hits += 1
            } else {
                guard cost(key) <= capacity / 20 else { continue }
                while usage + cost(key) > capacity {
                    var victim: (key: Int, worth: Double, time: Int)?
                    for (other, entry) in held {
                        if let victim, (victim.worth, victim.time) < (entry.worth, entry.time) { continue }
                        victim = (other, entry.worth, entry.time)
                    }
                    guard let victim else { break }
                    age = max(age, victim.worth)
                    usage -= cost(victim.key)
                    held[victim.key] = nil
                }
                usage += cost(key)
            }
            let uses = (held[key]?.uses ?? 0) + 1
            let worth = policy == .leastRecentlyUsed ? 0 : age + Double(uses) / Double(cost(key))
            held[key] = (uses, worth, time)
        }
        return hits
    }
}
