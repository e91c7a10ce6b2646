/// A ``PolicySimulation`` of any policy. Closures, since the compiler specialises those for each policy, and the calls
/// of a protocol's requirements it does not.
struct RunningSimulation {
    let apply: (_ batch: UnsafeBufferPointer<SimulatedAccess>, _ objects: Int) -> Void
    let resize: (_ capacity: Int) -> Void
    let sum: () -> HitSum

    @inline(__always)
    init<Policy: SimulatedPolicy>(_ policy: Policy, capacity: Int, mostAdmitted: Int) {
        var simulation = PolicySimulation(policy, capacity: capacity, mostAdmitted: mostAdmitted)
        apply = { simulation.apply($0, objects: $1) }
        resize = { simulation.resize(to: $0) }
        sum = { simulation.sum }
    }
}
