/// Items that wait, each for its moment. Moments are numbers of one clock, which the caller reads.
struct DueItems<Item> {
    /// In the order in which they are due.
    private var waiting: [(due: UInt64, item: Item)] = []

    /// When the first item is due; `nil` if there is none.
    var nextDue: UInt64? { waiting.first?.due }

    /// Adds an item behind all that are due at the same moment or earlier.
    mutating func add(_ item: Item, due: UInt64) {
        let place = waiting.firstIndex { $0.due > due } ?? waiting.endIndex
        waiting.insert((due, item), at: place)
    }

    /// Takes the first item out if it is due.
    mutating func takeDue(at now: UInt64) -> Item? {
        guard let due = nextDue, due <= now else { return nil }
        return waiting.removeFirst().item
    }
}
