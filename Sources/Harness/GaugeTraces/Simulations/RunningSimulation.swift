/// A ``CacheSimulation`` of any cache. Closures, since the compiler specialises those for each policy, and the calls of a
/// protocol's requirements it does not.
struct RunningSimulation {
    let apply: (_ batch: UnsafeBufferPointer<SimulatedAccess>, _ objects: Int) -> Void
    /// Changes the part of the named capacity that is simulated.
    let rescale: (_ scale: Double) -> Void
    let sum: () -> HitSum
    /// The hits that share a fetch under way.
    let shared: () -> Int

    @inline(__always)
    init<Policy: SimulatedPolicy>(_ type: Policy.Type, _ capacity: NamedCapacity, scale: Double) {
        func tier(_ scale: Double) -> TierCapacity { capacity.tier(scale: scale) }
        var simulation = CacheSimulation(Policy(capacity: tier(scale).capacity), largest: tier(scale).largest)
        apply = { simulation.apply($0, objects: $1) }
        rescale = {
            simulation.largest = tier($0).largest
            simulation.cache.resize(to: tier($0).capacity)
        }
        sum = { simulation.sum }
        shared = { simulation.shared }
    }

    @inline(__always)
    init<Tiers: SimulatedTiers>(_ type: Tiers.Type, memory: NamedCapacity, disk: NamedCapacity, scale: Double) {
        func tiers(_ scale: Double) -> (memory: TierCapacity, disk: TierCapacity) {
            (memory.tier(scale: scale), disk.tier(scale: scale))
        }
        func largest(_ scale: Double) -> Int { max(tiers(scale).memory.largest, tiers(scale).disk.largest) }
        var simulation = CacheSimulation(
            Tiers(memory: tiers(scale).memory, disk: tiers(scale).disk), largest: largest(scale))
        apply = { simulation.apply($0, objects: $1) }
        rescale = {
            simulation.largest = largest($0)
            simulation.cache.resize(memory: tiers($0).memory, disk: tiers($0).disk)
        }
        sum = { simulation.sum }
        shared = { simulation.shared }
    }
}

/// The capacity of a tier as the user names it, of which a sample simulates a part.
struct NamedCapacity: Sendable {
    let capacity: Int
    /// An entry that costs more than the capacity divided by this number is not admitted.
    let share: Int

    func tier(scale: Double) -> TierCapacity {
        let scaled = scale == 1 ? capacity : Int((Double(capacity) * scale).rounded())
        return TierCapacity(scaled, mostAdmitted: capacity / share)
    }
}
