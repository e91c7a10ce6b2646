/// Counts the requests for each object, up to 15. All counts can be halved at once, in constant time: each notes after
/// how many halvings it was set.
struct RequestCounts: Sendable {
    /// The number of halvings, modulo 2²⁸, and the count in the lowest four bits.
    private var counts: [UInt32] = []
    private var halvings: UInt32 = 0

    private static let mask: UInt32 = 0xF

    mutating func reserve(_ count: Int) {
        counts.grow(to: count, with: 0)
    }

    @inline(__always)
    func of(_ object: Int) -> Int {
        let since = (halvings &- counts[object] >> 4) & (UInt32.max >> 4)
        return since > 3 ? 0 : Int((counts[object] & Self.mask) >> since)
    }

    @inline(__always)
    mutating func count(_ object: Int) {
        counts[object] = halvings << 4 | UInt32(truncatingIfNeeded: min(15, of(object) + 1))
    }

    mutating func halve() { halvings = (halvings &+ 1) & (UInt32.max >> 4) }
}
