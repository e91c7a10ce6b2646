// Invariant of the pointers: a slot is the index's, and is used before the index changes again.

import Synchronization

/// What lookups need of a log: where each key's newest record is, and what waits or is removed. Used under the lock of
/// `LookupSeam`, which the log unlocks at each call of the storage, so it has to be consistent at each of them.
///
/// At its own address, and not inside the log: during a change the compiler relies on exclusive access to the log.
struct ReadableLog: ~Copyable {
    /// Which records are carried.
    let policy: EvictionPolicy
    /// The most bytes that the file may have.
    var capacity: Int
    var geometry: LogGeometry
    var segments: SegmentList
    var index: DiskIndex
    /// The newest records, while they wait to be written.
    var writeBuffer = WriteBuffer()
    /// Removals by date.
    var removals = DateTombstones()
    /// The log's part of GDSF.
    var values = GreedyDualReclaim()
    /// A removal couldn't be written: nothing may be answered or stored until all is cleared.
    var mustClear = false
    /// Lookups that found an entry, and lookups that didn't.
    var (hits, misses): (UInt64, UInt64) = (0, 0)

    init(capacity: Int, geometry: LogGeometry, policy: EvictionPolicy) {
        self.policy = policy
        self.capacity = capacity
        self.geometry = geometry
        segments = SegmentList(count: geometry.segmentCount)
        index = DiskIndex(forCapacity: max(capacity, geometry.dataEnd), hasNotes: policy == .greedyDualSizeFrequency)
    }

    /// Whether the capacity is too small to hold anything.
    var isDisabled: Bool { capacity < LogGeometry.leastCapacity }

    /// Whether lookups may find something.
    var mayAnswer: Bool { !isDisabled && !mustClear }

    /// The newest record under `hash`, which counts as used from now on. No I/O.
    @inline(__always)
    mutating func locate(_ hash: KeyHash) -> LocatedRecord? {
        guard let slot = index.find(Fingerprint(hash.low)) else { return nil }
        slot.pointee.isTouched = true
        noteUse(of: slot)
        return located(slot.pointee)
    }

    @inline(__always)
    func located(_ slot: IndexSlot) -> LocatedRecord {
        let offset = geometry.offset(of: slot.place)
        let segment = geometry.segment(of: offset)
        let entry = segments[segment].entry
        return LocatedRecord(
            offset: offset, length: slot.length,
            mark: entry.nonce &+ UInt64(offset - geometry.start(ofSegment: segment)), generation: entry.generation,
            isRecent: segments[segment].isRecent)
    }

    /// Whether `record` is still the newest under `hash`, and wasn't overwritten while it was read.
    @inline(__always)
    func confirms(_ record: LocatedRecord, _ hash: KeyHash) -> Bool {
        guard let slot = index.find(Fingerprint(hash.low)), geometry.offset(of: slot.pointee.place) == record.offset
        else { return false }
        return segments[geometry.segment(of: record.offset)].entry.generation == record.generation
    }

    /// Notes a use of an entry, under a policy that counts uses.
    @inline(__always)
    mutating func noteUse(of slot: UnsafeMutablePointer<IndexSlot>) {
        guard let note = index.note(of: slot) else { return }
        if note.pointee.uses < .max { note.pointee.uses += 1 }
        let worth = AgedValue.worth(uses: note.pointee.uses, length: slot.pointee.length)
        note.pointee.value = values.age.advanced(by: worth)
    }
}

extension RecordLog {
    var policy: EvictionPolicy { readable.pointee.policy }

    var capacity: Int {
        get { readable.pointee.capacity }
        nonmutating set { readable.pointee.capacity = newValue }
    }

    var geometry: LogGeometry {
        @inline(__always) get { readable.pointee.geometry }
        nonmutating set { readable.pointee.geometry = newValue }
    }

    var segments: SegmentList {
        @inline(__always) _read { yield readable.pointee.segments }
        @inline(__always) nonmutating _modify { yield &readable.pointee.segments }
    }

    var index: DiskIndex {
        @inline(__always) _read { yield readable.pointee.index }
        @inline(__always) nonmutating _modify { yield &readable.pointee.index }
    }

    var writeBuffer: WriteBuffer {
        @inline(__always) _read { yield readable.pointee.writeBuffer }
        @inline(__always) nonmutating _modify { yield &readable.pointee.writeBuffer }
    }

    var removals: DateTombstones {
        @inline(__always) _read { yield readable.pointee.removals }
        @inline(__always) nonmutating _modify { yield &readable.pointee.removals }
    }

    var values: GreedyDualReclaim {
        @inline(__always) _read { yield readable.pointee.values }
        @inline(__always) nonmutating _modify { yield &readable.pointee.values }
    }

    var mustClear: Bool {
        get { readable.pointee.mustClear }
        nonmutating set { readable.pointee.mustClear = newValue }
    }

    /// Whether the capacity is too small to hold anything.
    var isDisabled: Bool { readable.pointee.isDisabled }
}

/// Counts how often older records began to be overwritten, for readers without the log's lock: half a seqlock.
///
/// A reader notes the count while it finds a record under the lock, and reads the record unlocked. If the count is the
/// same afterwards, no write into an older record's place had begun by then, so what was read isn't torn.
final class Overwriting: Sendable {
    private let begun = Atomic<UInt64>(0)

    /// The count. What was read before this call isn't torn by an overwriting that this count doesn't include.
    var count: UInt64 {
        @inline(__always) get {
            atomicMemoryFence(ordering: .acquiring)
            return begun.load(ordering: .relaxed)
        }
    }

    /// To be called before the first write, with the log's lock held.
    @inline(__always)
    func begin() {
        begun.store(begun.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
        atomicMemoryFence(ordering: .sequentiallyConsistent)
    }
}
