import CacheTiers

/// A memory tier simple enough to be obviously correct: an array of entries, the least recently used first.
struct MemoryTierModel {
    /// An entry: its key, its version, and the properties that the tier uses.
    struct Entry: Equatable {
        var key: UInt8
        var version: Int
        var cost: Int
        var storedAt: Int64
        /// Stores and hits since the key came into the tier.
        var uses = 0
        /// For GDSF: the age at the last use, plus uses per unit of cost.
        var worth = 0.0
    }

    let policy: EvictionPolicy

    private(set) var entries: [Entry] = []
    private(set) var capacity: Int
    private(set) var evictions = 0
    /// How often each key was stored, removed or promoted.
    private var changes = [Int](repeating: 0, count: 256)

    /// For GDSF: the worth of the last evicted entry.
    private var age = 0.0

    init(capacity: Int, policy: EvictionPolicy) {
        self.capacity = capacity
        self.policy = policy
    }

    /// The versions in the order of eviction.
    var versionsInOrder: [Int] {
        var rest = self
        var versions: [Int] = []
        while let victim = rest.victim {
            versions.append(rest.entries[victim].version)
            rest.entries.remove(at: victim)
        }
        return versions
    }

    /// The first with the smallest worth; without GDSF all have the same.
    private var victim: Int? {
        entries.indices.min { (entries[$0].worth, $0) < (entries[$1].worth, $1) }
    }

    private mutating func append(_ entry: Entry, uses: Int) {
        var entry = entry
        entry.uses = uses
        if policy == .greedyDualSizeFrequency { entry.worth = age + Double(uses) / Double(entry.cost) }
        entries.append(entry)
    }

    var usage: Int { entries.reduce(0) { $0 + $1.cost } }

    mutating func lookup(_ key: UInt8) -> Entry? {
        guard let place = entries.firstIndex(where: { $0.key == key }) else { return nil }
        let entry = entries.remove(at: place)
        append(entry, uses: entry.uses + 1)
        return entry
    }

    mutating func store(_ entry: Entry, isAllowed: Bool) -> StoreResult {
        changes[Int(entry.key)] += 1
        let uses = entries.first { $0.key == entry.key }?.uses ?? 0
        entries.removeAll { $0.key == entry.key }
        guard isAllowed else { return StoreResult(.notAllowed) }
        guard entry.cost * 20 <= capacity else { return StoreResult(.tooLarge) }
        let evicted = evict(until: capacity - entry.cost)
        append(entry, uses: uses + 1)
        return StoreResult(.stored, evictions: evicted)
    }

    func ticket(_ key: UInt8) -> Int { changes[Int(key)] }

    mutating func remove(_ key: UInt8) -> Bool {
        changes[Int(key)] += 1
        let before = entries.count
        entries.removeAll { $0.key == key }
        return entries.count < before
    }

    mutating func removeAll(since moment: Int64) {
        for key in changes.indices { changes[key] += 1 }
        entries.removeAll { $0.storedAt > moment }
    }

    mutating func setCapacity(_ capacity: Int) {
        _ = evict(until: capacity)
        self.capacity = capacity
    }

    private mutating func evict(until goal: Int) -> Int {
        var evicted = 0
        var usage = usage
        while usage > goal, let victim {
            age = max(age, entries[victim].worth)
            usage -= entries.remove(at: victim).cost
            evicted += 1
        }
        evictions += evicted
        return evicted
    }
}
