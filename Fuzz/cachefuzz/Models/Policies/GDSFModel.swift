/// Greedy Dual Size with Frequency: looks through all objects for the smallest value.
struct GDSFModel: PolicyModel {
    struct Valued {
        var object: ModelObject
        var value: Double
        var usedAt: Int
    }

    var capacity: Int
    var weight: (Int) -> Double = { Double(max($0, 1)) }
    var entries: [Valued] = []
    var age = 0.0
    var clock = 0
    var held: [ModelObject] { entries.map(\.object) }

    init(capacity: Int) { self.capacity = capacity }

    mutating func request(_ object: Int) -> Bool {
        guard let place = held.place(of: object) else { return false }
        entries[place] = used(entries[place])
        return true
    }

    mutating func used(_ entry: Valued) -> Valued {
        clock += 1
        var entry = entry
        entry.object.uses += 1
        entry.value = age + Double(entry.object.uses) / weight(entry.object.size)
        entry.usedAt = clock
        return entry
    }

    mutating func store(_ object: Int, size: Int) { store(object, size: size, uses: 0) }

    mutating func replace(_ object: Int, size: Int) {
        let uses = entries.first { $0.object.number == object }?.object.uses ?? 0
        remove(object)
        store(object, size: size, uses: uses)
    }

    mutating func store(_ object: Int, size: Int, uses: Int) {
        evict(until: capacity - size)
        let object = ModelObject(number: object, size: size, uses: uses)
        entries.append(used(Valued(object: object, value: 0, usedAt: 0)))
    }

    mutating func evict(until goal: Int) {
        while held.sum > goal, let victim = entries.min(by: { ($0.value, $0.usedAt) < ($1.value, $1.usedAt) }) {
            age = max(age, victim.value)
            remove(victim.object.number)
        }
    }

    mutating func remove(_ object: Int) { entries.removeAll { $0.object.number == object } }

    mutating func resize(to capacity: Int) {
        self.capacity = capacity
        evict(until: capacity)
    }
}

/// The same with the square root of the size.
struct RootGDSFModel: PolicyModel {
    var model: GDSFModel
    var held: [ModelObject] { model.held }

    init(capacity: Int) {
        model = GDSFModel(capacity: capacity)
        model.weight = { Double(max($0, 1)).squareRoot() }
    }

    mutating func request(_ object: Int) -> Bool { model.request(object) }
    mutating func store(_ object: Int, size: Int) { model.store(object, size: size) }
    mutating func replace(_ object: Int, size: Int) { model.replace(object, size: size) }
    mutating func remove(_ object: Int) { model.remove(object) }
    mutating func resize(to capacity: Int) { model.resize(to: capacity) }
}
