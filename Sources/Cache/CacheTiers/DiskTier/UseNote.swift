/// The uses of an entry on disk, under a policy that counts them.
struct UseNote: Sendable {
    /// The value at the last use.
    var value = AgedValue()
    /// Stores and lookups; 0 in an entry that this process found in the file, which counts as used once.
    var uses: UInt32 = 0

    /// The value that the policy compares.
    ///
    /// - Parameter length: bytes of the record.
    @inline(__always)
    func value(length: Int) -> AgedValue {
        uses == 0 ? AgedValue().advanced(by: AgedValue.worth(uses: 1, length: length)) : value
    }
}

/// A value of Greedy Dual Size with Frequency, in units of 2^-26 and modulo 64.
///
/// Values only grow, and those of one time are near each other, so two are compared by the sign of their distance.
struct AgedValue: Hashable, Sendable {
    private var units: UInt32 = 0

    /// Uses over bytes, in units; at most 16.
    @inline(__always)
    static func worth(uses: UInt32, length: Int) -> Int {
        Int(min(Double(uses) / Double(max(length, 1)), 16) * 0x1p26)
    }

    @inline(__always)
    func advanced(by worth: Int) -> AgedValue {
        var advanced = self
        advanced.units &+= UInt32(truncatingIfNeeded: worth)
        return advanced
    }

    /// This value less `other`, in units.
    @inline(__always)
    func distance(from other: AgedValue) -> Int { Int(Int32(bitPattern: units &- other.units)) }
}
