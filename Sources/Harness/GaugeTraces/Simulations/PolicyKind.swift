package struct PolicyKind: Sendable {
    /// Every policy, in the order of listings and tables.
    package static let all: [PolicyKind] = [
        lru,
        PolicyKind(FIFOPolicy.self),
        PolicyKind(SIEVEPolicy.self),
        PolicyKind(S3FIFOPolicy.self),
        PolicyKind(ARCPolicy.self),
        PolicyKind(LIRSPolicy.self),
        PolicyKind(WTinyLFUPolicy.self),
        gdsf,
        PolicyKind(GreedyDualPolicy<RootOfSize>.self),
    ]

    /// Hits for bytes, as in the tiers: what an application can choose instead of ``lru``.
    package static let gdsf = PolicyKind(GreedyDualPolicy<WholeSize>.self)

    /// Least recently used.
    package static let lru = PolicyKind(LRUPolicy.self)

    /// The largest capacity of a simulation: sums of twice as much, with ghosts, fit into 63 bits.
    package static let largestCapacity = 1 << 60

    package let type: any SimulatedPolicy.Type
    package var name: String { type.name }
    package var summary: String { type.summary }

    /// Starts simulating a cache of one tier, or with a disk tier behind it.
    let simulation:
        @Sendable (_ capacity: NamedCapacity, _ disk: (TierArrangement, NamedCapacity)?, _ scale: Double) ->
            RunningSimulation

    @inline(__always)
    private init<Policy: SimulatedPolicy>(_ type: Policy.Type) {
        self.type = type
        simulation = { capacity, disk, scale in
            if let (arrangement, disk) = disk {
                RunningSimulation(Policy.self, arrangement, memory: capacity, disk: disk, scale: scale)
            } else {
                RunningSimulation(Policy.self, capacity, scale: scale)
            }
        }
    }
}
