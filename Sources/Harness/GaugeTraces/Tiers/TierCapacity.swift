/// The capacity of a simulated tier, and the largest entry that it admits.
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
