/// The entries that a memory tier must still hold: those after whose last use so little was used that all of it fits
/// into half of the capacity. Exact LRU holds twice as much, so order of eviction by shard or sample is allowed.
package struct RecencyModel {
    private struct Use {
        let key: Int
        let cost: Int
        /// The smallest capacity since the use.
        var capacity: Int
        /// Whether the entry was certainly in memory after the use.
        let isHeld: Bool
    }

    /// Assumed bytes of an entry beside its body; more than any known cache needs.
    private static let overhead = 1_024
    private var capacity: Int
    /// Oldest first.
    private var uses: [Use] = []
    private var bytes: [Int: Int] = [:]

    /// The bytes of the capacity that each entry takes, whatever its length; `nil` where bytes are counted.
    private let entryBytes: Int?

    package init(capacity: Int, entryBytes: Int? = nil) { (self.capacity, self.entryBytes) = (capacity, entryBytes) }

    /// A store; a body of more than 5 % of the capacity need not be admitted.
    package mutating func store(_ key: Int, bytes count: Int) {
        bytes[key] = count
        use(key, isHeld: entryBytes != nil || count + Self.overhead <= capacity / 20)
    }

    /// A hit.
    ///
    /// - Parameter isHeld: whether the entry is in memory afterwards; `nil` when the subject does not report it.
    package mutating func hit(_ key: Int, isHeld: Bool?) { use(key, isHeld: isHeld ?? mustHold(key)) }

    package mutating func remove(_ key: Int) {
        uses.removeAll { $0.key == key }
        bytes[key] = nil
    }

    package mutating func resize(_ capacity: Int) {
        self.capacity = capacity
        for index in uses.indices { uses[index].capacity = min(uses[index].capacity, capacity) }
    }

    /// Whether a lookup of the key must be answered from memory.
    package func mustHold(_ key: Int) -> Bool {
        guard let place = uses.firstIndex(where: { $0.key == key }), uses[place].isHeld else { return false }
        return uses[place...].reduce(0) { $0 + $1.cost } <= uses[place].capacity / 2
    }

    private mutating func use(_ key: Int, isHeld: Bool) {
        uses.removeAll { $0.key == key }
        let cost = entryBytes ?? (bytes[key] ?? 0) + Self.overhead
        uses.append(Use(key: key, cost: cost, capacity: capacity, isHeld: isHeld))
    }
}
