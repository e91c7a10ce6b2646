/// The log's state of Greedy Dual Size with Frequency; each entry's part is its `UseFrequency`.
///
/// Segments are reclaimed in the order in which they were begun, so an entry is evicted when its segment is, and not
/// before. Two rules bring that near to the policy:
/// - Entries of a reclaimed segment are carried over if their values are above a threshold, chosen from a sample so
///   that such entries fill `carriedPercent` of the segments.
/// - An entry that the policy would evict before three tenths of the capacity are stored isn't written at all: in the
///   log it would keep its place for a whole round.
struct GreedyDualReclaim {
    /// The largest value of an entry that was given up; new values begin there.
    private(set) var age = AgedValue()
    /// Entries of a greater value are carried; all, if `nil`.
    var threshold: AgedValue?
    /// How many segments to reclaim before the threshold is chosen again.
    var segmentsUntilChoice = 0
    /// Bytes offered to the log so far, and the age at some earlier counts of them, oldest first.
    private var offered = 0
    private var marks: [(offered: Int, age: AgedValue)] = []

    /// The part of a segment that may be carried over, on average.
    static let carriedPercent = 75
    private static let marksInHalfOfCapacity = 8

    /// Notes that an entry is given up.
    mutating func giveUp(_ value: AgedValue) {
        if value.distance(from: age) > 0 { age = value }
    }

    /// Notes that a record of `length` bytes is to be stored.
    mutating func offer(_ length: Int, capacity: Int) {
        offered += length
        guard offered - (marks.last?.offered ?? 0) > capacity / (2 * Self.marksInHalfOfCapacity) else { return }
        if marks.count > Self.marksInHalfOfCapacity { marks.removeFirst() }
        marks.append((offered, age))
    }

    /// Whether the age, growing as it did, will pass an entry of this worth before three tenths of the capacity are
    /// offered.
    func outgrows(_ worth: Int, capacity: Int) -> Bool {
        guard let first = marks.first, marks.count > 2, offered > first.offered else { return false }
        let growth = Double(age.distance(from: first.age)) / Double(offered - first.offered)
        return Double(worth) < 0.3 * growth * Double(capacity)
    }
}

/// An entry's uses, under a policy that counts them.
struct UseFrequency: Sendable {
    /// The value at the last use.
    var value = AgedValue()
    /// Stores and lookups; 0 for an entry that this process found in the file, which counts as used once.
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
/// Values only grow, and those of one time are close, so two are compared by the sign of their distance.
struct AgedValue: Hashable, Sendable {
    private var units: UInt32 = 0

    /// Uses per byte, in units; at most 16.
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

// Invariant of the pointers: a slot is the index's, and is used before the index changes again.

// The values of entries, under a policy that counts uses.
extension RecordLog {
    /// Whether the policy is one that counts uses.
    @inline(__always) var countsUses: Bool { policy == .greedyDualSizeFrequency }

    /// Whether the policy would evict an entry so soon that it isn't worth writing.
    ///
    /// - Parameter length: bytes of its record.
    mutating func isHardlyWorthWriting(_ fingerprint: Fingerprint, length: Int) -> Bool {
        values.offer(length, capacity: geometry.dataBytes)
        let earlier = index.find(fingerprint).flatMap { index.note(of: $0)?.pointee.uses } ?? 0
        let worth = AgedValue.worth(uses: earlier < .max ? earlier + 1 : earlier, length: length)
        return values.outgrows(worth, capacity: geometry.dataBytes)
    }

    /// Whether a record of the reclaimed segment should be carried over.
    @inline(__always)
    mutating func isWorthCarrying(_ slot: UnsafeMutablePointer<IndexSlot>) -> Bool {
        guard countsUses else { return slot.pointee.isTouched }
        guard let threshold = values.threshold, let note = index.note(of: slot)?.pointee else { return true }
        let value = note.value(length: slot.pointee.length)
        if value.distance(from: threshold) > 0 { return true }
        values.giveUp(value)
        return false
    }

    /// Chooses the value above which records are carried, from a sample of those that are reclaimed next.
    ///
    /// - Parameter tail: the segment that is reclaimed next.
    mutating func chooseThreshold(_ tail: Int) {
        guard values.segmentsUntilChoice == 0 else { return values.segmentsUntilChoice -= 1 }
        let sampled = min(max(geometry.segmentCount / 4, 1), geometry.segmentCount - freeAhead - 1)
        values.segmentsUntilChoice = sampled / 4
        var sample: [(value: AgedValue, bytes: Int)] = []
        for step in 0..<sampled {
            let number = geometry.following(tail, by: step)
            let places = geometry.places(ofSegment: number)
            let count = segments[number].recordCount
            let stride = count / 64 + 1
            for position in Swift.stride(from: 0, to: count, by: stride) {
                guard let prefix = segments[number].records?[position],
                    let slot = index.find(prefix: prefix, in: places), let note = index.note(of: slot)
                else { continue }
                let length = slot.pointee.length
                sample.append((note.pointee.value(length: length), length * stride))
            }
        }
        let age = values.age
        sample.sort { $0.value.distance(from: age) > $1.value.distance(from: age) }
        var room = geometry.segmentBytes * GreedyDualReclaim.carriedPercent / 100 * sampled
        values.threshold =
            sample.first { entry in
                room -= entry.bytes
                return room < 0
            }?.value
    }
}
