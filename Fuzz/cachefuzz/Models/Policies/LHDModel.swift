import GaugeSupport

/// Least Hit Density: keeps every hit and eviction as an event, and adds the density of an object up from the events of its
/// class. It draws the same random numbers as the policy, from a list in the same order.
struct LHDModel: PolicyModel {
    struct Event {
        var kind: Int
        var age: Int
        var isHit: Bool
        var weight = 1.0
    }

    struct Entry {
        var object: ModelObject
        var usedAt: Int
        /// The ages at the hits so far.
        var hitAges: [Int] = []
        var isExplorer = false
        /// 0 without a hit, else the number of binary digits of the sum of the last two ages.
        var kind: Int { String(hitAges.suffix(2).reduce(0, +), radix: 2).drop { $0 == "0" }.count }
    }

    /// The density of a class at an age, in steps.
    struct Point: Hashable {
        var kind: Int
        var step: Int
    }

    static let steps = 512

    var capacity: Int
    var entries: [Entry] = []
    var events: [Event] = []
    /// The weights of the events that densities are computed from, by class: each step with its hits and all its events.
    var known: [Int: [(step: Int, hits: Double, all: Double)]] = [:]
    var densities: [Point: Double] = [:]
    var stepLength = 1
    var clock = 0
    var updates = [256]
    var random = Xoshiro256(seed: 0, "lhd")
    var held: [ModelObject] { entries.map(\.object) }

    init(capacity: Int) { self.capacity = capacity }

    mutating func request(_ object: Int) -> Bool {
        clock += 1
        if clock == updates.reduce(0, +) { update() }
        guard let place = held.place(of: object) else { return false }
        let age = clock - entries[place].usedAt
        events.append(Event(kind: entries[place].kind, age: age, isHit: true))
        entries[place].hitAges.append(age)
        entries[place].usedAt = clock
        drawExplorer(place)
        return true
    }

    mutating func store(_ object: Int, size: Int) {
        evict(until: capacity - size)
        entries.append(Entry(object: ModelObject(number: object, size: size), usedAt: clock))
        drawExplorer(entries.count - 1)
    }

    mutating func remove(_ object: Int) {
        guard let place = held.place(of: object) else { return }
        entries[place] = entries[entries.count - 1]
        entries.removeLast()
    }

    mutating func resize(to capacity: Int) {
        self.capacity = capacity
        evict(until: capacity)
    }

    mutating func evict(until goal: Int) {
        while held.sum > goal {
            let drawn = (0..<32).map { _ in entries[Int(random.next(below: UInt64(entries.count)))] }
            guard let victim = drawn.min(by: { worth($0) < worth($1) }) else { return }
            events.append(Event(kind: victim.kind, age: clock - victim.usedAt, isHit: false))
            remove(victim.object.number)
        }
    }

    mutating func drawExplorer(_ place: Int) {
        entries[place].isExplorer = false
        let explored = entries.filter(\.isExplorer).map(\.object).sum
        let isDrawn = random.next(below: 32) == 0
        entries[place].isExplorer = isDrawn && explored + entries[place].object.size <= capacity / 100
    }

    mutating func worth(_ entry: Entry) -> Double {
        let point = Point(kind: entry.kind, step: step(of: clock - entry.usedAt))
        let density = densities[point] ?? density(at: point)
        densities[point] = density
        return density / Double(max(1, entry.object.size)) + (entry.isExplorer ? 1 : 0)
    }

    func density(at point: Point) -> Double {
        guard clock >= 256 else { return 1 / Double(point.step + 1) }
        guard point.step < Self.steps - 1 else { return 0 }
        var (hits, steps) = (0.0, 0.0)
        for sum in known[point.kind] ?? [] where sum.step >= point.step {
            hits += sum.hits
            steps += sum.all * Double(sum.step - point.step + 1)
        }
        return hits == 0 ? 0 : hits / steps
    }

    func step(of age: Int) -> Int { min(age / stepLength, Self.steps - 1) }

    mutating func update() {
        updates.append(updates[updates.count - 1] * 2)
        let last = events.filter { step(of: $0.age) == Self.steps - 1 }
        func weight(_ events: [Event]) -> Double { events.reduce(0) { $0 + $1.weight } }
        if weight(last) * 100 > weight(events) {
            events = events.filter { step(of: $0.age) < Self.steps - 1 }
            stepLength *= 2
        }
        known = [:]
        for (point, events) in Dictionary(grouping: events, by: { Point(kind: $0.kind, step: step(of: $0.age)) }) {
            known[point.kind, default: []].append((point.step, weight(events.filter(\.isHit)), weight(events)))
        }
        densities = [:]
        for index in events.indices { events[index].weight *= 0.9375 }
    }
}
