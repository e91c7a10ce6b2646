/// Applies the accesses of a trace to a simulated cache.
///
/// ``TraceAccess`` says what an access means. An entry is outdated if the object has changed since the last request:
/// each change replaces or removes it. Expiry is kept from the first response that expires; entries stored before are
/// fresh for ever.
struct CacheSimulation<Cache: SimulatedContents> {
    /// How many accesses ahead memory is prefetched.
    private static var ahead: Int { 8 }

    var cache: Cache
    /// The cost of the largest entry that is admitted and fits.
    var largest: Int
    private(set) var sum = HitSum()
    /// Hits that came before the head of the response, and so share a fetch.
    private(set) var shared = 0
    private var expiries: [Double] = []
    /// When the heads of stored responses were received; empty as long as each came before the next request.
    private var arrivals: [Double] = []

    init(_ cache: Cache, largest: Int) { (self.cache, self.largest) = (cache, largest) }

    /// Applies a batch.
    ///
    /// - Parameter objects: the number of objects named so far.
    mutating func apply(_ batch: UnsafeBufferPointer<SimulatedAccess>, objects: Int) {
        cache.reserve(objects)
        if !expiries.isEmpty { reserveExpiries(objects) }
        if !arrivals.isEmpty { arrivals.grow(to: objects, with: -.infinity) }
        for index in batch.indices {
            if index + 2 * Self.ahead < batch.count { cache.prefetch(Int(batch[index + 2 * Self.ahead].object)) }
            if index + Self.ahead < batch.count { cache.prefetchNeighbours(of: Int(batch[index + Self.ahead].object)) }
            apply(batch[index], objects: objects)
        }
    }

    @inline(__always)
    private mutating func apply(_ access: SimulatedAccess, objects: Int) {
        let object = Int(access.object)
        // A lookup makes an entry the most recent even if it can't answer.
        let isHeld = access.mayBeAnswered && cache.request(object)
        if isHeld, !access.isChanged, expiries.isEmpty || access.now < expiries[object] {
            sum.add(access.size)
            if !arrivals.isEmpty, access.now < arrivals[object] { shared += 1 }
            if access.updatesCost { store(object, cost: access.cost, isHeld: true) }
            return
        }
        switch access.effect {
        case .stores:
            if access.expiry < .infinity, expiries.isEmpty { reserveExpiries(objects) }
            if !expiries.isEmpty { expiries[object] = access.expiry }
            if access.arrival > access.now, arrivals.isEmpty { arrivals.grow(to: objects, with: -.infinity) }
            if !arrivals.isEmpty { arrivals[object] = access.arrival }
            if !access.mayBeAnswered { cache.remove(object) }
            store(object, cost: access.cost, isHeld: isHeld)
        case .removes: cache.remove(object)
        case .keeps: break
        }
    }

    @inline(__always)
    private mutating func store(_ object: Int, cost: Int, isHeld: Bool) {
        if cost > largest {
            if isHeld { cache.remove(object) }
        } else if isHeld {
            cache.replace(object, size: cost)
        } else {
            cache.store(object, size: cost)
        }
    }

    private mutating func reserveExpiries(_ objects: Int) { expiries.grow(to: objects, with: .infinity) }
}

/// A ``CacheSimulation`` of any cache. It holds closures, since the compiler specialises those for each policy, but not
/// calls through a protocol.
struct RunningSimulation {
    let apply: (_ batch: UnsafeBufferPointer<SimulatedAccess>, _ objects: Int) -> Void
    /// Changes the simulated part of the named capacity.
    let rescale: (_ scale: Double) -> Void
    let sum: () -> HitSum
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
    init<Policy: SimulatedPolicy>(
        _ type: Policy.Type, _ arrangement: TierArrangement, memory: NamedCapacity, disk: NamedCapacity, scale: Double
    ) {
        func tiers(_ scale: Double) -> (memory: TierCapacity, disk: TierCapacity) {
            (memory.tier(scale: scale), disk.tier(scale: scale))
        }
        func largest(_ scale: Double) -> Int { max(tiers(scale).memory.largest, tiers(scale).disk.largest) }
        var simulation = CacheSimulation(
            TwoTiers<Policy>(arrangement, memory: tiers(scale).memory, disk: tiers(scale).disk),
            largest: largest(scale))
        apply = { simulation.apply($0, objects: $1) }
        rescale = {
            simulation.largest = largest($0)
            simulation.cache.resize(memory: tiers($0).memory, disk: tiers($0).disk)
        }
        sum = { simulation.sum }
        shared = { simulation.shared }
    }
}

/// A tier's capacity as the user names it; a sample simulates a part of it.
struct NamedCapacity: Sendable {
    let capacity: Int
    /// An entry that costs more than the capacity divided by this number isn't admitted.
    let share: Int

    func tier(scale: Double) -> TierCapacity {
        let scaled = scale == 1 ? capacity : Int((Double(capacity) * scale).rounded())
        return TierCapacity(scaled, mostAdmitted: capacity / share)
    }
}
