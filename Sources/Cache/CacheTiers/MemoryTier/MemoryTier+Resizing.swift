// Invariant of the pointers: all owners are locked.

import Platform
import Synchronization

extension MemoryTier {
    /// Doubles a full index, or makes one smaller that is filled to less than three eighths, so that its memory stays within
    /// the part of an entry's overhead that counts for it; and divides it among the owners.
    func resizeIndex() {
        let first = owner(0)
        let (index, owners) = (first.pointee.table.index, first.pointee.owners)
        var total = 0
        owners.forEach { total += owner($0).pointee.table.count }
        var capacity = index.capacity
        let smallest = smallestCapacity(owners.count)
        if total >= capacity || capacity < smallest {
            while total >= capacity || capacity < smallest { capacity *= 2 }
            let larger = EntryIndex(capacity: capacity)
            owners.forEach { owner($0).pointee.table.move(to: larger) }
            use(larger, insteadOf: index)
        } else if capacity > smallest, total * 8 < capacity * 3 {
            capacity = smallest
            while capacity * 3 < total * 4 { capacity *= 2 }
            let smaller = EntryIndex(capacity: capacity)
            owners.forEach { owner($0).pointee.table.shrink(to: smaller) }
            use(smaller, insteadOf: index)
        }
        divideIndex(total)
    }

    /// Takes everything out.
    func takeAll() {
        let first = owner(0)
        let (index, owners) = (first.pointee.table.index, first.pointee.owners)
        let empty = EntryIndex(capacity: smallestCapacity(owners.count))
        owners.forEach {
            owner($0).pointee.used = 0
            owner($0).pointee.table.removeAll(index: empty)
        }
        use(empty, insteadOf: index)
        divideIndex(0)
        divideUnits()
    }

    private func use(_ index: EntryIndex, insteadOf old: EntryIndex) {
        published.pointee.store(index.word, ordering: .releasing)
        owner(0).pointee.table.retired.append(old)
    }

    /// Several owners have room for some entries each.
    private func smallestCapacity(_ ownerCount: Int) -> Int {
        guard ownerCount > 1 else { return EntryTable.smallestCapacity }
        var capacity = EntryTable.smallestCapacity
        while capacity < EntryTable.smallestCapacity * ownerCount { capacity *= 2 }
        return capacity
    }

    /// Sets the part of each owner. Several together may have a quarter more entries than the index is made for: it has room
    /// for three quarters more, and an owner whose part is used up or has become small divides the index again.
    private func divideIndex(_ total: Int) {
        let first = owner(0)
        let owners = first.pointee.owners
        let capacity = first.pointee.table.index.capacity
        let isSmallest = capacity <= smallestCapacity(owners.count)
        let sparse = capacity * 3 / 8
        guard owners.count > 1 else {
            return first.pointee.table.setPart(least: isSmallest ? 0 : sparse, most: capacity)
        }
        let more = max(capacity - total, capacity / 4) / owners.count
        let fewer = max(total - sparse, capacity / 16) / owners.count
        owners.forEach {
            let count = owner($0).pointee.table.count
            owner($0).pointee.table.setPart(least: isSmallest ? 0 : max(count - fewer, 0), most: count + more)
        }
    }
}
