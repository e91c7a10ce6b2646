import Dispatch
import GaugeSupport

/// Simulations that read the same accesses, in one pass and on all processors.
///
/// Takes 24 to 80 bytes per object and simulation, and 384 KiB for waiting accesses.
struct SimulationSet {
    private static let batch = 8192

    let names: [(policy: String, capacity: Int)]
    private let simulations: [RunningSimulation]
    private var waiting: [SimulatedAccess] = []
    private var objects = 0
    /// Requests so far, applied or waiting.
    private(set) var requests = 0
    private(set) var requestedBytes = 0

    /// Simulations of every policy at every capacity.
    ///
    /// - Parameters:
    ///   - disk: disk tiers; each policy is simulated alone and in front of them.
    ///   - share: an entry that costs more than the capacity divided by this number isn't admitted.
    ///   - scale: the simulated capacity, divided by the named one.
    init(_ policies: [PolicyKind], capacities: [Int], disk: DiskTiers? = nil, share: Int, scale: Double = 1) {
        let capacity = disk.map { NamedCapacity(capacity: $0.capacity, share: share) }
        let arrangements = [nil] + (disk?.arrangements ?? [])
        var names: [(policy: String, capacity: Int)] = []
        var simulations: [RunningSimulation] = []
        for policy in policies {
            for arrangement in arrangements {
                let second = arrangement.flatMap { arrangement in capacity.map { (arrangement, $0) } }
                for capacity in capacities {
                    names.append((policy.name + (arrangement.map { " \($0)" } ?? ""), capacity))
                    simulations.append(
                        policy.simulation(NamedCapacity(capacity: capacity, share: share), second, scale))
                }
            }
        }
        (self.names, self.simulations) = (names, simulations)
    }

    /// Adds an access of an object with a number below `objects`.
    @inline(__always)
    mutating func add(_ access: SimulatedAccess, objects: Int) {
        guard !simulations.isEmpty else { return }
        self.objects = objects
        requests += 1
        requestedBytes = requestedBytes.addingClamped(access.size)
        append(access)
    }

    mutating func forget(_ object: Int) { append(SimulatedAccess(forgetting: object)) }

    @inline(__always)
    private mutating func append(_ access: SimulatedAccess) {
        waiting.append(access)
        if waiting.count == Self.batch { flush() }
    }

    /// Lets every simulation apply the waiting accesses.
    mutating func flush() {
        // Only one thread touches each simulation, and all threads have ended before the next flush.
        nonisolated(unsafe) let simulations = simulations
        let objects = objects
        waiting.withUnsafeBufferPointer { batch in
            nonisolated(unsafe) let batch = batch
            if simulations.count == 1 || batch.count < 64 {
                for simulation in simulations { simulation.apply(batch, objects) }
            } else {
                DispatchQueue.concurrentPerform(iterations: simulations.count) {
                    simulations[$0].apply(batch, objects)
                }
            }
        }
        waiting.removeAll(keepingCapacity: true)
    }

    /// The hits of each simulation, without the waiting accesses.
    var sums: [HitSum] { simulations.map { $0.sum() } }

    /// The most hits of any simulation that share a fetch under way.
    var shared: Int { simulations.map { $0.shared() }.max() ?? 0 }

    mutating func rescale(to scale: Double) {
        flush()
        for simulation in simulations { simulation.rescale(scale) }
    }
}

struct DiskTiers {
    let capacity: Int
    let arrangements: [TierArrangement]
}
