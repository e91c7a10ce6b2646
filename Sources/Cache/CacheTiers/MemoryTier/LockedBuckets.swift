import Platform

/// The buckets from the home of a key to where a search for it ended, all locked: the changes of several writers.
///
/// The lock of its home orders the changes of a key, since each holds it. An entry stays in the tier while a bucket is
/// locked in which it is, so that its key may be read. Writers lock from the home upwards and wait; round the end of the
/// index they only try, and begin again, so that no circle of writers waits.
struct LockedBuckets {
    private let index: EntryIndex
    private let tag: UInt32
    private let home: EntryIndex.Position
    /// The last one.
    private var end: EntryIndex.Position
    /// The place in the last bucket, and the entry that the search found there.
    private(set) var found: (place: IndexBucket.Place, entry: Unmanaged<EntryStorage>)?

    private init(home tag: UInt32, in index: EntryIndex) {
        self.index = index
        self.tag = tag
        home = EntryIndex.Position(home: tag, in: index)
        end = home
        index.bucket(home).lock()
    }

    /// Locks the buckets up to an entry that matches, or to where the search for one ends.
    @inline(__always)
    init(of tag: UInt32, in index: EntryIndex, where matches: (Unmanaged<EntryStorage>) -> Bool) {
        self.init(home: tag, in: index)
        while true {
            let bucket = index.bucket(end)
            let summary = bucket.summary
            var candidates = summary.places(of: tag)
            while let place = candidates.next() {
                guard let entry = bucket[place], matches(entry) else { continue }
                found = (place, entry)
                return
            }
            guard summary.isPassed, end.distance < end.last else { return }
            if !extend() { lockAgain() }
        }
    }

    /// Locks the next bucket; unlocks all and returns false when that could end in a circle.
    private mutating func extend() -> Bool {
        var next = end
        _ = next.advance()
        if next.number > home.number {
            index.bucket(next).lock()
        } else if !index.bucket(next).tryLock() {
            unlock()
            return false
        }
        end = next
        return true
    }

    @inline(never)
    private mutating func lockAgain() {
        var backoff = SpinBackoff()
        backoff.wait()
        end = home
        index.bucket(home).lock()
    }

    /// Unlocks unchanged buckets.
    func unlock() { unlock(after: nil) }

    /// Unlocks those after a bucket, the last first, or all.
    private func unlock(after distance: Int?) {
        var position = home
        while true {
            if position.distance > distance ?? -1 { index.bucket(position).unlock() }
            guard position.distance < end.distance else { return }
            _ = position.advance()
        }
    }

    // MARK: Changing; each unlocks

    /// Puts in an entry whose key was not found.
    ///
    /// - Returns: false if nothing was changed because other writers were in the way.
    mutating func insert(_ entry: Unmanaged<EntryStorage>) -> Bool {
        var target = home
        while true {
            let bucket = index.bucket(target)
            var summary = bucket.summary
            if let place = summary.freePlace {
                unlock(after: target.distance)
                bucket[place] = entry
                summary.occupy(place, by: tag)
                bucket.summary = summary.unlocked
                changePasses(before: target) { $0.pass() }
                return true
            }
            if target.distance == end.distance, !extend() { return false }
            _ = target.advance()
        }
    }

    /// Puts another entry in the place of the one that was found.
    func replace(by new: Unmanaged<EntryStorage>) {
        if let found { index.bucket(end)[found.place] = new }
        unlock()
    }

    /// Takes out the entry that was found.
    ///
    /// - Returns: how many buckets were looked at.
    func remove() -> Int {
        guard let found else { return 0 }
        let bucket = index.bucket(end)
        var summary = bucket.summary
        summary.free(found.place)
        bucket.summary = summary.unlocked
        changePasses(before: end) { $0.unpass() }
        return end.distance + 1
    }

    @inline(__always)
    private func changePasses(before end: EntryIndex.Position, _ change: (inout BucketSummary) -> Void) {
        var position = home
        while position.distance < end.distance {
            let bucket = index.bucket(position)
            var summary = bucket.summary
            change(&summary)
            bucket.summary = summary.unlocked
            _ = position.advance()
        }
    }
}

extension EntryIndex {
    /// Whether the key of a tag may be in the index; false when its bucket tells that it is not.
    @inline(__always)
    func mayContain(_ tag: UInt32) -> Bool {
        let summary = bucket(Position(home: tag, in: self)).summary
        var places = summary.places(of: tag)
        return summary.isPassed || places.next() != nil
    }

    /// Locks the buckets of a key.
    @inline(__always)
    func locked(_ key: UnsafeRawBufferPointer, tag: UInt32) -> LockedBuckets {
        LockedBuckets(of: tag, in: self) { $0._withUnsafeGuaranteedRef { $0.hasKey(key) } }
    }

    /// Locks the buckets of an entry.
    @inline(__always)
    func locked(_ entry: Unmanaged<EntryStorage>, tag: UInt32) -> LockedBuckets {
        LockedBuckets(of: tag, in: self) { $0.toOpaque() == entry.toOpaque() }
    }
}
