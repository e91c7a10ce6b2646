import GaugeSupport

/// Tells the requests that a cache of any capacity misses, by what was last seen of their object: it may not be
/// answered out of a cache, wasn't stored, has expired, or has another size.
///
/// The front page of a site may be such an object. A sample that holds it would have far too many misses, and one that
/// doesn't far too few, so ``SampledSimulations`` counts these misses in the whole trace and estimates the others: a
/// difference estimator (W. G. Cochran, "Sampling Techniques", 1977, chapter 7). It is unbiased whatever was foreseen,
/// as long as it doesn't depend on the sample. So a few objects are forgotten, in a table of 2 MiB, and there are
/// no variants.
struct ForeseenMisses {
    /// Misses and the bytes of their bodies.
    struct Sum {
        private(set) var requests = 0
        private(set) var bytes = 0

        mutating func add(_ size: Int) {
            requests += 1
            bytes = bytes.addingClamped(size)
        }
    }

    /// The object that was requested last of all that share the slot.
    private struct Slot {
        let id: UInt64
        var size: Int?
        var expiry = Double.infinity
    }

    private static let slots = 1 << 16
    private var slots = [Slot](repeating: Slot(id: 0), count: Self.slots)
    private var now = -Double.infinity

    /// Whether the request is such a miss. Notes its response.
    ///
    /// - Parameter comparesSizes: whether another size is another version, also of objects that aren't in the sample.
    mutating func isForeseen(_ request: TraceRequest, _ rules: AccessRules, comparesSizes: Bool) -> Bool {
        now = max(now, request.time ?? now)
        var exchange = request.exchange
        // It confirms a response that it doesn't repeat.
        if exchange?.status == 304 { exchange?.status = 200 }
        let verdict = exchange.map(rules.caching.verdict) ?? .unlimited
        let place = Int(truncatingIfNeeded: SplitMix64.mix(request.id) % UInt64(Self.slots))
        let isKnown = slots[place].id == request.id
        var slot = isKnown ? slots[place] : Slot(id: request.id)
        let isChanged = comparesSizes && slot.size != nil && request.size != nil && slot.size != request.size
        let isForeseen = !verdict.mayBeAnswered || isChanged || slot.expiry <= now
        switch rules.response(to: request, verdict, size: request.size ?? 0) {
        case .stored(let expiry): (slot.expiry, slot.size) = (expiry, request.size ?? slot.size)
        case .keeps where isKnown: break
        case .keeps, .removes: slot.expiry = -.infinity
        }
        slots[place] = slot
        return isForeseen
    }
}
