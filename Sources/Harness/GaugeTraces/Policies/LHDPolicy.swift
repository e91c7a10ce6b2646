import GaugeSupport

/// Least Hit Density: of 32 objects drawn at random, the one goes that promises the fewest hits for its bytes and the time
/// that it will stay. The promise is measured: objects that are as old, and were hit at similar ages before, show how many
/// of their kind are hit in the end, and after how long. N. Beckmann, H. Chen, A. Cidon, "LHD: improving cache hit rate by
/// maximizing hit density", NSDI 2018.
///
/// The age of an object is the number of requests since its last one, and its class follows from its ages at its last two
/// hits. A thirty-second of the objects are explorers, which go last, as long as they take a hundredth of the capacity: they
/// show the hits at ages that others do not reach.
package struct LHDPolicy: SimulatedPolicy {
    package static let name = "lhd"
    package static let summary = "fewest hits to expect for bytes and time first, of a sample (Beckmann 2018)"

    private static let sample = 32
    private static let explorers: UInt64 = 32

    private struct Entry {
        var object: UInt32
        /// The ages at the last hit and the one before it.
        var ages: (last: UInt32, before: UInt32) = (0, 0)
        var isExplorer = false
        var size: Int
        /// The number of the last request.
        var usedAt: Int
    }

    private var capacity: Int
    package private(set) var used = 0
    private var entries: [Entry] = []
    /// Where each object is in `entries`, plus one; 0 when it is not held.
    private var places: [UInt32] = []
    private var densities = HitDensities()
    private var random = Xoshiro256(seed: 0, "lhd")
    private var requests = 0
    private var exploredBytes = 0

    package init(capacity: Int) { self.capacity = capacity }

    package mutating func reserve(_ count: Int) { places.grow(to: count, with: 0) }

    package mutating func request(_ object: Int) -> Bool {
        requests += 1
        densities.advance()
        let place = Int(places[object]) - 1
        guard place >= 0 else { return false }
        let (age, ages) = (age(of: entries[place]), entries[place].ages)
        densities.note(isHit: true, kind: Self.kind(ages), age: age)
        entries[place].ages = (age, ages.last)
        entries[place].usedAt = requests
        chooseWhetherExplorer(place)
        return true
    }

    package mutating func store(_ object: Int, size: Int, evicted: (Int, Int) -> Void) {
        evict(until: capacity - size, evicted)
        entries.append(Entry(object: UInt32(truncatingIfNeeded: object), size: size, usedAt: requests))
        places[object] = UInt32(truncatingIfNeeded: entries.count)
        used += size
        chooseWhetherExplorer(entries.count - 1)
    }

    package mutating func remove(_ object: Int) {
        let place = Int(places[object]) - 1
        guard place >= 0 else { return }
        used -= entries[place].size
        if entries[place].isExplorer { exploredBytes -= entries[place].size }
        entries.swapAt(place, entries.count - 1)
        entries.removeLast()
        places[object] = 0
        if place < entries.count { places[Int(entries[place].object)] = UInt32(truncatingIfNeeded: place + 1) }
    }

    package mutating func resize(to capacity: Int, evicted: (Int, Int) -> Void) {
        self.capacity = capacity
        evict(until: capacity, evicted)
    }

    private mutating func evict(until goal: Int, _ evicted: (Int, Int) -> Void) {
        while used > goal {
            let victim = entries[leastDense()]
            densities.note(isHit: false, kind: Self.kind(victim.ages), age: age(of: victim))
            evicted(Int(victim.object), victim.size)
            remove(Int(victim.object))
        }
    }

    private mutating func leastDense() -> Int {
        var (least, place) = (Double.infinity, 0)
        for _ in 0..<Self.sample {
            let drawn = Int(random.next(below: UInt64(entries.count)))
            let entry = entries[drawn]
            let density = densities.of(kind: Self.kind(entry.ages), age: age(of: entry)) / Double(max(1, entry.size))
            // No density is above 1.
            let worth = entry.isExplorer ? density + 1 : density
            if worth < least { (least, place) = (worth, drawn) }
        }
        return place
    }

    private mutating func chooseWhetherExplorer(_ place: Int) {
        let size = entries[place].size
        if entries[place].isExplorer { exploredBytes -= size }
        let isDrawn = random.next(below: Self.explorers) == 0
        entries[place].isExplorer = isDrawn && exploredBytes + size <= capacity / 100
        if entries[place].isExplorer { exploredBytes += size }
    }

    private func age(of entry: Entry) -> UInt32 { UInt32(min(requests - entry.usedAt, 1 << 30)) }

    /// The class of an object: 0 without a hit, else by the logarithm of the sum of its ages.
    private static func kind(_ ages: (last: UInt32, before: UInt32)) -> Int {
        min(HitDensities.kinds - 1, 32 - (ages.last + ages.before).leadingZeroBitCount)
    }
}

/// The hits to expect, for each class of objects and each age, in the time that such an object will stay: per step of age.
///
/// Ages are counted in steps, which double in length when a hundredth of the hits and evictions has a greater age than the
/// table. Densities are computed again after 256 requests, 512 more, and so on up to every 65,536; each time older counts
/// lose a sixteenth of their weight. (The paper's decay of a tenth would round, and the order of sums would matter.)
private struct HitDensities: Sendable {
    static let kinds = 32
    private static let ages = 512

    private var hits = [Double](repeating: 0, count: kinds * ages)
    private var evictions = [Double](repeating: 0, count: kinds * ages)
    private var densities: [Double]
    /// The logarithm of the length of a step.
    private var step = 0
    private var interval = 256
    private var left = 256

    init() {
        // Until something is known, recent objects are dense.
        densities = (0..<Self.kinds * Self.ages).map { 1 / Double($0 % Self.ages + 1) }
    }

    func of(kind: Int, age: UInt32) -> Double { densities[place(kind, age)] }

    mutating func note(isHit: Bool, kind: Int, age: UInt32) {
        if isHit { hits[place(kind, age)] += 1 } else { evictions[place(kind, age)] += 1 }
    }

    /// Counts a request, and computes the densities if it is time.
    mutating func advance() {
        left -= 1
        guard left == 0 else { return }
        interval = min(2 * interval, 1 << 16)
        left = interval
        if isTooShort { lengthenSteps() }
        for kind in 0..<Self.kinds { compute(kind) }
        for place in hits.indices {
            hits[place] *= 0.9375
            evictions[place] *= 0.9375
        }
    }

    private func place(_ kind: Int, _ age: UInt32) -> Int { kind * Self.ages + min(Int(age) >> step, Self.ages - 1) }

    /// The hits from an age on, over the sum of the steps from there to the end of each life.
    private mutating func compute(_ kind: Int) {
        var (hitsFrom, livesFrom, stepsFrom) = (0.0, 0.0, 0.0)
        for place in (kind * Self.ages..<(kind + 1) * Self.ages).reversed() {
            hitsFrom += hits[place]
            livesFrom += hits[place] + evictions[place]
            stepsFrom += livesFrom
            densities[place] = stepsFrom > 0 ? hitsFrom / stepsFrom : 0
        }
        // It has no end, so nothing is known of the time that is left.
        densities[(kind + 1) * Self.ages - 1] = 0
    }

    private var isTooShort: Bool {
        let all = hits.reduce(0, +) + evictions.reduce(0, +)
        let last = (0..<Self.kinds).reduce(0) { sum, kind in
            let place = (kind + 1) * Self.ages - 1
            return sum + hits[place] + evictions[place]
        }
        return last * 100 > all
    }

    private mutating func lengthenSteps() {
        step += 1
        for kind in 0..<Self.kinds {
            for age in 0..<Self.ages {
                let (to, from) = (kind * Self.ages + age, kind * Self.ages + 2 * age)
                // The counts of the last step are of unknown ages.
                let (isFirst, isSecond) = (2 * age < Self.ages - 1, 2 * age + 1 < Self.ages - 1)
                hits[to] = (isFirst ? hits[from] : 0) + (isSecond ? hits[from + 1] : 0)
                evictions[to] = (isFirst ? evictions[from] : 0) + (isSecond ? evictions[from + 1] : 0)
            }
        }
    }
}
