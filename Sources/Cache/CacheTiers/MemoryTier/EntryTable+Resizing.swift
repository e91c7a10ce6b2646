// Invariant of the pointers: the new lists have room for every number that is copied to them. The old ones are freed
// after that, and nothing else has their addresses.

extension EntryTable {
    /// Sets the part in the index.
    mutating func setPart(least: Int, most: Int) {
        self.least = least
        self.most = most
        ceiling = min(most, room)
    }

    /// Makes room for one more entry within the table's part in the index.
    ///
    /// - Returns: false when the part is used up.
    mutating func makeRoom() -> Bool {
        guard count < most else { return false }
        if count == room { grow(to: room * 2) }
        return true
    }

    /// Makes room for more nodes. They keep their numbers, so that no entry is read.
    private mutating func grow(to capacity: Int) {
        let larger = (
            RecencyList(capacity: capacity, isStamped: recency.isStamped), ResidentList(capacity: capacity)
        )
        larger.0.copy(recency, count: room)
        var node: UInt32 = 0
        while node < lastNode {
            node += 1
            larger.1[node] = residents[node]
        }
        order?._withUnsafeGuaranteedRef { $0.grow(to: capacity) }
        use(larger.0, larger.1, capacity)
    }

    /// Puts the entries into another index.
    mutating func move(to larger: EntryIndex) {
        index = larger
        var node: UInt32 = 0
        while node < lastNode {
            node += 1
            if let resident = residents[node] { larger.insert(resident.entry, tag: resident.tag) }
        }
    }

    /// Puts the entries into another index, and gives the nodes new numbers, in their order of eviction. Amortised, constant
    /// time for an entry that was removed.
    mutating func shrink(to smallerIndex: EntryIndex) {
        stepsOfRemovals += count + room * 2
        var capacity = Self.smallestCapacity
        while capacity * 3 < count * 4 { capacity *= 2 }
        let smaller = (
            RecencyList(capacity: capacity, isStamped: recency.isStamped), ResidentList(capacity: capacity)
        )
        var numbers = [UInt32](repeating: 0, count: order == nil ? 0 : Int(lastNode) + 1)
        var last: UInt32 = 0
        for (node, stamp) in nodes() {
            guard let resident = residents[node] else { continue }
            last += 1
            resident.entry._withUnsafeGuaranteedRef { $0.node = last }
            if order == nil { smaller.0.insert(last) } else { numbers[Int(node)] = last }
            smaller.0.stampIfNoted(last, stamp)
            smaller.1[last] = resident
            smallerIndex.insert(resident.entry, tag: resident.tag)
        }
        order?._withUnsafeGuaranteedRef { $0.renumber(numbers, capacity: capacity) }
        index = smallerIndex
        use(smaller.0, smaller.1, capacity)
        lastNode = last
        firstFree = 0
    }

    private mutating func use(_ recency: RecencyList, _ residents: ResidentList, _ capacity: Int) {
        self.recency.deallocate()
        self.residents.deallocate()
        self.recency = recency
        self.residents = residents
        room = capacity
        ceiling = min(most, room)
    }
}
