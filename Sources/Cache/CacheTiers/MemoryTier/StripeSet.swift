/// Some of at most 64 stripes, by their numbers.
struct StripeSet {
    private var bits: UInt64 = 0
    /// The retired entries of each take at most the capacity divided by this: a hundredth, or a sixteenth for all.
    private(set) var divisor = 100

    mutating func insert(_ index: Int) {
        bits |= 1 << UInt64(index)
        divisor = max(100, 16 * bits.nonzeroBitCount)
    }

    @inline(__always)
    func forEach(_ body: (Int) -> Void) {
        var rest = bits
        while rest != 0 {
            body(rest.trailingZeroBitCount)
            rest &= rest - 1
        }
    }

    func allSatisfy(_ condition: (Int) -> Bool) -> Bool {
        var areAll = true
        forEach { areAll = areAll && condition($0) }
        return areAll
    }
}
