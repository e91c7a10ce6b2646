/// Two tiers that hold each entry once: a store goes to memory, an entry that memory evicts goes to the disk, and a disk hit
/// moves the entry back. An entry too large for memory is stored on disk and stays there.
///
/// Two tiers of the least recently used, of entries of one size, hold together what one tier of both capacities would.
package struct ExclusiveTiers<Memory: SimulatedPolicy>: SimulatedTiers {
    private var memory: Memory
    private var disk: LRUPolicy
    private var largest: (memory: Int, disk: Int)
    /// By object, whether memory holds it.
    private var isInMemory: [Bool] = []

    package init(memory: TierCapacity, disk: TierCapacity) {
        self.memory = Memory(capacity: memory.capacity)
        self.disk = LRUPolicy(capacity: disk.capacity)
        largest = (memory.largest, disk.largest)
    }

    package var used: (memory: Int, disk: Int) { (memory.used, disk.used) }

    package mutating func reserve(_ count: Int) {
        memory.reserve(count)
        disk.reserve(count)
        if count > isInMemory.count {
            isInMemory.append(contentsOf: repeatElement(false, count: count - isInMemory.count))
        }
    }

    package func prefetch(_ object: Int) {
        memory.prefetch(object)
        disk.prefetch(object)
    }

    package func prefetchNeighbours(of object: Int) {
        memory.prefetchNeighbours(of: object)
        disk.prefetchNeighbours(of: object)
    }

    package mutating func request(_ object: Int) -> Bool {
        if memory.request(object) { return true }
        guard disk.request(object) else { return false }
        let size = disk.size(of: object)
        if size <= largest.memory { store(object, size: size) }
        return true
    }

    package mutating func store(_ object: Int, size: Int) {
        disk.remove(object)
        if size <= largest.memory {
            let wasHeld = isInMemory[object]
            isInMemory[object] = true
            Self.demoting(&memory, &disk, &isInMemory, largest: largest.disk) { memory, demote in
                if wasHeld {
                    memory.replace(object, size: size, evicted: demote)
                } else {
                    memory.store(object, size: size, evicted: demote)
                }
            }
        } else {
            memory.remove(object)
            isInMemory[object] = false
            if size <= largest.disk { disk.store(object, size: size) }
        }
    }

    package mutating func replace(_ object: Int, size: Int) { store(object, size: size) }

    package mutating func remove(_ object: Int) {
        disk.remove(object)
        memory.remove(object)
        isInMemory[object] = false
    }

    package mutating func resize(memory: TierCapacity, disk: TierCapacity) {
        largest = (memory.largest, disk.largest)
        self.disk.resize(to: disk.capacity)
        Self.demoting(&self.memory, &self.disk, &isInMemory, largest: disk.largest) {
            $0.resize(to: memory.capacity, evicted: $1)
        }
    }

    /// Changes memory, and moves to the disk what it evicts.
    @inline(__always)
    private static func demoting(
        _ memory: inout Memory, _ disk: inout LRUPolicy, _ isInMemory: inout [Bool], largest: Int,
        _ change: (inout Memory, _ demote: (_ object: Int, _ size: Int) -> Void) -> Void
    ) {
        change(&memory) { object, size in
            isInMemory[object] = false
            if size <= largest { disk.store(object, size: size) }
        }
    }
}
