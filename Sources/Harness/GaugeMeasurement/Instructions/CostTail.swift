/// The most expensive operations of a sequence.
package struct CostTail: Equatable, Sendable {
    /// The mean cost of the most expensive hundredth.
    package let worstPercent: Double
    /// The cost of the most expensive operation.
    package let worst: Double

    /// Returns `nil` without operations.
    package init?(_ costs: [UInt64]) {
        let worst = costs.sorted(by: >).prefix(Self.count(of: costs.count))
        guard let most = worst.first else { return nil }
        self.worst = Double(most)
        worstPercent = worst.reduce(0) { $0 + Double($1) } / Double(worst.count)
    }

    /// The number of operations in the most expensive hundredth, rounded up.
    package static func count(of operations: Int) -> Int { (operations + 99) / 100 }
}
