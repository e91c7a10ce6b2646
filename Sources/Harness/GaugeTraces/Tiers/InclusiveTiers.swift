/// Two tiers that hold entries twice, like `TwoTierCache`: a store goes to both, a disk hit is copied to memory, a memory hit
/// does not touch the disk, and an eviction concerns one tier alone.
package struct InclusiveTiers<Memory: SimulatedPolicy>: SimulatedTiers {
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
        storeInMemory(object, size: disk.size(of: object))
        return true
    }

    package mutating func store(_ object: Int, size: Int) {
        disk.remove(object)
        if size <= largest.disk { disk.store(object, size: size) }
        storeInMemory(object, size: size)
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
        Self.forgetting(&self.memory, &isInMemory) { $0.resize(to: memory.capacity, evicted: $1) }
    }

    private mutating func storeInMemory(_ object: Int, size: Int) {
        guard size <= largest.memory else {
            memory.remove(object)
            isInMemory[object] = false
            return
        }
        let wasHeld = isInMemory[object]
        isInMemory[object] = true
        Self.forgetting(&memory, &isInMemory) { memory, forget in
            if wasHeld {
                memory.replace(object, size: size, evicted: forget)
            } else {
                memory.store(object, size: size, evicted: forget)
            }
        }
    }

    /// Changes memory, and notes what it evicts.
    @inline(__always)
    private static func forgetting(
        _ memory: inout Memory, _ isInMemory: inout [Bool],
        _ change: (inout Memory, _ forget: (_ object: Int, _ size: Int) -> Void) -> Void
    ) {
        change(&memory) { object, _ in isInMemory[object] = false }
    }
}
