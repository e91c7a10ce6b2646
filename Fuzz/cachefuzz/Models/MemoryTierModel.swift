import CacheTiers

/// A memory tier that is simple enough to be obviously correct: an array of entries, the least recently used first.
struct MemoryTierModel {
    /// An entry: its key, its version, and the properties that the tier uses.
    struct Entry: Equatable {
        var key: UInt8
        var version: Int
        var cost: Int
        var storedAt: Int64
    }

    private(set) var entries: [Entry] = []
    private(set) var capacity: Int
    private(set) var evictions = 0
    /// How often each key was stored, removed or promoted.
    private var changes = [Int](repeating: 0, count: 256)

    init(capacity: Int) { self.capacity = capacity }

    var usage: Int { entries.reduce(0) { $0 + $1.cost } }

    mutating func lookup(_ key: UInt8) -> Entry? {
        guard let place = entries.firstIndex(where: { $0.key == key }) else { return nil }
        let entry = entries.remove(at: place)
        entries.append(entry)
        return entry
    }

    mutating func store(_ entry: Entry, isAllowed: Bool) -> StoreResult {
        changes[Int(entry.key)] += 1
        entries.removeAll { $0.key == entry.key }
        guard isAllowed else { return StoreResult(.notAllowed) }
        guard entry.cost * 20 <= capacity else { return StoreResult(.tooLarge) }
        let evicted = evict(until: capacity - entry.cost)
        entries.append(entry)
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
        while usage > goal, !entries.isEmpty {
            usage -= entries.removeFirst().cost
            evicted += 1
        }
        evictions += evicted
        return evicted
    }
}
