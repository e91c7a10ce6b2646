/// A ``TraceAccess`` as simulations read it: 48 bytes, in batches that all of them share.
struct SimulatedAccess: Sendable {
    /// The effect of the origin's response on the entry.
    enum Effect: UInt8, Sendable { case stores, removes, keeps }

    /// When the stored response expires, on the clock of the trace.
    var expiry = Double.infinity
    /// When its head was received; until then the request shares the fetch.
    var arrival = -Double.infinity
    let now: Double
    /// Bytes of the body.
    let size: Int
    /// The cost of an entry.
    let cost: Int
    let object: UInt32
    let effect: Effect
    /// Whether an entry of the object as it was at the last request may answer.
    let mayBeAnswered: Bool
    /// Whether the entry of the last request is outdated.
    let isChanged: Bool
    /// Whether a hit gives the entry its new cost.
    let updatesCost: Bool

    init(_ access: TraceAccess, object: Int) {
        switch access.response {
        case _ where !access.hasKey: effect = .keeps
        case .stored(let moment): (expiry, effect) = (moment, .stores)
        case .removes: effect = .removes
        case .keeps: effect = .keeps
        }
        (now, size, cost, arrival) = (access.now, access.size, access.cost, access.arrival)
        self.object = UInt32(truncatingIfNeeded: object)
        mayBeAnswered = access.mayBeAnswered && access.hasKey
        (isChanged, updatesCost) = (access.isChanged, access.updatesCost)
    }

    /// An access whose response never expires.
    @inline(__always)
    init(
        object: Int, size: Int, cost: Int, now: Double, effect: Effect, mayBeAnswered: Bool, isChanged: Bool
    ) {
        (self.now, self.size, self.cost, self.effect) = (now, size, cost, effect)
        self.object = UInt32(truncatingIfNeeded: object)
        (self.mayBeAnswered, self.isChanged, updatesCost) = (mayBeAnswered, isChanged, false)
    }

    /// Removes an object that the sample drops.
    init(forgetting object: Int) {
        (now, size, cost, effect) = (0, 0, 0, .removes)
        self.object = UInt32(truncatingIfNeeded: object)
        (mayBeAnswered, isChanged, updatesCost) = (false, false, false)
    }
}
