/// The objects of a trace by what an entry of them costs.
package struct WorkingSet: Sendable {
    /// The costs, in ascending order.
    private let costs: [Int]
    /// The sum of them.
    package let bytes: Int

    package init(_ costs: [Int]) {
        self.costs = costs.sorted()
        bytes = costs.reduce(0) { $0.addingClamped($1) }
    }

    package var objects: Int { costs.count }
    package var largest: Int { costs.last ?? 0 }

    /// The objects that cost more than this, and the least of them.
    package func above(_ limit: Int) -> (count: Int, least: Int)? {
        guard let first = costs.firstIndex(where: { $0 > limit }) else { return nil }
        return (costs.count - first, costs[first])
    }
}
