/// A capacity that no tier can have.
public struct CapacityError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The tier: `memory` or `disk`.
    public let tier: String
    /// The requested capacity.
    public let capacity: Int

    /// Names the tier and the capacity.
    public init(tier: String, capacity: Int) {
        self.tier = tier
        self.capacity = capacity
    }

    /// The thing, the reason and the remedy.
    public var description: String { "\(tier) capacity \(capacity) is negative; pass 0 to disable the \(tier) tier" }
}
