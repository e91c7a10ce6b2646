// Invariant of the pointers: a slot is the index's, and is used before the index changes again.

// The values of entries, under a policy that counts their uses.
extension RecordLog {
    /// Whether the policy is one that counts uses.
    @inline(__always) var countsUses: Bool { policy == .greedyDualSizeFrequency }

    /// Whether the policy would evict an entry so soon that it is not worth writing.
    ///
    /// - Parameter length: bytes of its record.
    mutating func isHardlyWorthWriting(_ fingerprint: Fingerprint, length: Int) -> Bool {
        values.offer(length, capacity: geometry.dataBytes)
        let earlier = index.find(fingerprint).flatMap { index.note(of: $0)?.pointee.uses } ?? 0
        let worth = AgedValue.worth(uses: earlier < .max ? earlier + 1 : earlier, length: length)
        return values.outgrows(worth, capacity: geometry.dataBytes)
    }

    /// Whether a record of the segment that is reclaimed should be carried over.
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
