/// A simulated cache of one policy and one capacity: applies the accesses of a trace to it.
///
/// The meaning of an access is that of ``TraceAccess``. An entry is outdated if the object has changed since the request
/// before: each change replaces or removes it. Moments of expiry are kept from the first response that expires; entries
/// stored before are fresh for ever.
struct PolicySimulation<Policy: SimulatedPolicy> {
    private var policy: Policy
    private let mostAdmitted: Int
    /// The cost of the largest entry that is admitted, and fits.
    private var largest: Int
    /// The hits so far.
    private(set) var sum = HitSum()
    private var expiries: [Double] = []

    /// - Parameter mostAdmitted: the cost of the largest entry that the admission rule lets in.
    init(_ policy: Policy, capacity: Int, mostAdmitted: Int) {
        self.policy = policy
        self.mostAdmitted = mostAdmitted
        largest = min(capacity, mostAdmitted)
    }

    mutating func resize(to capacity: Int) {
        largest = min(capacity, mostAdmitted)
        policy.resize(to: capacity)
    }

    /// Applies a batch.
    ///
    /// - Parameter objects: the number of objects named so far.
    mutating func apply(_ batch: UnsafeBufferPointer<SimulatedAccess>, objects: Int) {
        policy.reserve(objects)
        if !expiries.isEmpty { reserveExpiries(objects) }
        for access in batch { apply(access, objects: objects) }
    }

    @inline(__always)
    private mutating func apply(_ access: SimulatedAccess, objects: Int) {
        let object = Int(access.object)
        // A lookup makes even an entry that cannot answer the most recent.
        let isHeld = access.mayBeAnswered && policy.request(object)
        if isHeld, !access.isChanged, expiries.isEmpty || access.now < expiries[object] {
            sum.add(access.size)
            if access.updatesCost { store(object, cost: access.cost, isHeld: true) }
            return
        }
        switch access.effect {
        case .stores:
            if access.expiry < .infinity, expiries.isEmpty { reserveExpiries(objects) }
            if !expiries.isEmpty { expiries[object] = access.expiry }
            if !access.mayBeAnswered { policy.remove(object) }
            store(object, cost: access.cost, isHeld: isHeld)
        case .removes: policy.remove(object)
        case .keeps: break
        }
    }

    @inline(__always)
    private mutating func store(_ object: Int, cost: Int, isHeld: Bool) {
        if cost > largest {
            if isHeld { policy.remove(object) }
        } else if isHeld {
            policy.replace(object, size: cost) { _, _ in }
        } else {
            policy.store(object, size: cost)
        }
    }

    private mutating func reserveExpiries(_ objects: Int) {
        if objects > expiries.count {
            expiries.append(contentsOf: repeatElement(.infinity, count: objects - expiries.count))
        }
    }
}
