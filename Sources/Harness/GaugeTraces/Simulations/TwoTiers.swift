/// A memory tier of any policy in front of an LRU disk tier.
///
/// Each tier has its own capacity and admits entries by its own share of it; an entry costs the same in both. A memory
/// hit doesn't touch the disk. An entry too large for memory is stored on disk and stays there.
package struct TwoTiers<Memory: SimulatedPolicy>: SimulatedContents {
    /// Whether the disk tier holds what memory holds.
    private let keepsCopies: Bool
    private var memory: Memory
    private var disk: LRUPolicy
    private var largest: (memory: Int, disk: Int)
    /// By object, whether memory holds it.
    private var isInMemory: [Bool] = []

    package init(_ arrangement: TierArrangement, memory: TierCapacity, disk: TierCapacity) {
        keepsCopies = arrangement == .inclusive
        self.memory = Memory(capacity: memory.capacity)
        self.disk = LRUPolicy(capacity: disk.capacity)
        largest = (memory.largest, disk.largest)
    }

    /// The sum of sizes in each tier.
    package var used: (memory: Int, disk: Int) { (memory.used, disk.used) }

    package mutating func reserve(_ count: Int) {
        memory.reserve(count)
        disk.reserve(count)
        isInMemory.grow(to: count, with: false)
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
        guard size <= largest.memory else { return true }
        if !keepsCopies { disk.remove(object) }
        storeInMemory(object, size: size)
        return true
    }

    package mutating func store(_ object: Int, size: Int) {
        disk.remove(object)
        let fitsMemory = size <= largest.memory
        if size <= largest.disk, keepsCopies || !fitsMemory { disk.store(object, size: size) }
        if fitsMemory {
            storeInMemory(object, size: size)
        } else {
            memory.remove(object)
            isInMemory[object] = false
        }
    }

    package mutating func replace(_ object: Int, size: Int) { store(object, size: size) }

    package mutating func remove(_ object: Int) {
        disk.remove(object)
        memory.remove(object)
        isInMemory[object] = false
    }

    /// Changes the capacities, and evicts until the rest fits.
    package mutating func resize(memory: TierCapacity, disk: TierCapacity) {
        largest = (memory.largest, disk.largest)
        self.disk.resize(to: disk.capacity)
        changeMemory { $0.resize(to: memory.capacity, evicted: $1) }
    }

    private mutating func storeInMemory(_ object: Int, size: Int) {
        let wasHeld = isInMemory[object]
        isInMemory[object] = true
        changeMemory { memory, evicted in
            if wasHeld {
                memory.replace(object, size: size, evicted: evicted)
            } else {
                memory.store(object, size: size, evicted: evicted)
            }
        }
    }

    /// Changes memory, and notes what it evicts or moves it to the disk.
    @inline(__always)
    private mutating func changeMemory(
        _ change: (inout Memory, _ evicted: (_ object: Int, _ size: Int) -> Void) -> Void
    ) {
        Self.change(&memory, &disk, &isInMemory, keepsCopies ? -1 : largest.disk, change)
    }

    /// Static, so that memory can change while the closure changes the rest.
    ///
    /// - Parameter largest: the largest evicted entry that moves to the disk.
    @inline(__always)
    private static func change(
        _ memory: inout Memory, _ disk: inout LRUPolicy, _ isInMemory: inout [Bool], _ largest: Int,
        _ change: (inout Memory, _ evicted: (_ object: Int, _ size: Int) -> Void) -> Void
    ) {
        change(&memory) { object, size in
            isInMemory[object] = false
            if size <= largest { disk.store(object, size: size) }
        }
    }
}

/// Where two tiers hold an entry.
package enum TierArrangement: String, CaseIterable, Sendable {
    /// As in `TwoTierCache`: a store goes to both tiers, a disk hit is copied to memory, and an eviction concerns one
    /// tier alone: evicting from memory is free, but many entries are held twice.
    case inclusive
    /// A store goes to memory, an eviction from memory to the disk, and a disk hit moves back: each entry is held once,
    /// but every eviction from memory is written. For entries of one size, two LRU tiers hold together what one tier of
    /// their joint capacity would.
    case exclusive
}

package struct TierCapacity: Hashable, Sendable {
    /// The largest sum of sizes.
    package let capacity: Int
    /// The largest entry; at most the capacity.
    package let largest: Int

    /// - Parameter mostAdmitted: the largest entry that the admission rule lets in.
    package init(_ capacity: Int, mostAdmitted: Int = .max) {
        self.capacity = capacity
        largest = min(capacity, mostAdmitted)
    }
}
