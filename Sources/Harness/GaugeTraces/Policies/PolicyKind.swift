/// One of the policies that can be simulated.
package struct PolicyKind: Sendable {
    /// Every policy, in the order of listings and tables.
    package static let all: [PolicyKind] = [
        PolicyKind(LRUPolicy.self),
        PolicyKind(FIFOPolicy.self),
        PolicyKind(SIEVEPolicy.self),
        PolicyKind(S3FIFOPolicy.self),
        PolicyKind(ARCPolicy.self),
        PolicyKind(LIRSPolicy.self),
        PolicyKind(WTinyLFUPolicy.self),
        PolicyKind(GreedyDualPolicy<WholeSize>.self),
        PolicyKind(GreedyDualPolicy<RootOfSize>.self),
    ]

    /// The largest capacity of a simulation: sums of twice as much, and of ghosts, fit into 63 bits.
    package static let largestCapacity = 1 << 60

    /// The type of the simulated cache.
    package let type: any SimulatedPolicy.Type
    /// The name on the command line.
    package var name: String { type.name }
    /// The rule in one line.
    package var summary: String { type.summary }

    private init(_ type: (some SimulatedPolicy).Type) { self.type = type }
}
