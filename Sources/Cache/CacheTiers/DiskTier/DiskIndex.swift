import Platform
import Synchronization

/// Where the newest record of each key is, in memory: at most 14 bytes a key, and 9 more for its uses under GDSF.
///
/// Keys are known by their `Fingerprint`. Its high bits choose one of many shards, each of which grows and shrinks in
/// small steps, so that a change moves one shard's share at most.
///
/// Invariant of the pointers: `shards` has `1 << shardBits` shards; `none` is one empty slot that empty shards share.
/// Both are freed only in `deinit`. A slot that is handed out is good until the next change of the index.
struct DiskIndex: ~Copyable {
    private let shards: UnsafeMutablePointer<IndexShard>
    private let none: UnsafeMutablePointer<IndexSlot>
    private let shardBits: Int
    private(set) var count = 0
    /// The same keys, for readers without the lock.
    let presence: KeyPresence
    private let hasNotes: Bool

    /// - Parameters:
    ///   - capacity: of the log, bytes; there is a shard for every 16 MiB.
    ///   - hasNotes: whether each key has a note of its uses.
    init(forCapacity capacity: Int, hasNotes: Bool = false) {
        self.hasNotes = hasNotes
        var bits = 0
        while bits < 16, capacity >> (25 + bits) > 0 { bits += 1 }
        shardBits = bits
        none = .allocate(capacity: 1)
        none.initialize(to: .empty)
        shards = .allocate(capacity: 1 << bits)
        let shard = IndexShard(none: none, shardBits: bits, hasNotes: hasNotes)
        shards.initialize(repeating: shard, count: 1 << bits)
        presence = KeyPresence(forCapacity: capacity)
    }

    deinit {
        for number in 0..<1 << shardBits { shards[number].release() }
        shards.deallocate()
        none.deallocate()
    }

    /// Bytes of memory in use.
    var byteCount: Int { (0..<1 << shardBits).reduce(presence.byteCount) { $0 + shards[$1].byteCount } }

    @inline(__always)
    private func shard(of fingerprint: Fingerprint) -> UnsafeMutablePointer<IndexShard> {
        shards + Int(truncatingIfNeeded: fingerprint.bits >> UInt64(Fingerprint.bitCount - shardBits))
    }

    /// The slot of a fingerprint.
    @inline(__always)
    func find(_ fingerprint: Fingerprint) -> UnsafeMutablePointer<IndexSlot>? {
        shard(of: fingerprint).pointee.find(fingerprint)
    }

    /// The first slot whose fingerprint has the prefix and whose place is in the range.
    @inline(__always)
    func find(prefix: UInt32, in places: Range<UInt32>) -> UnsafeMutablePointer<IndexSlot>? {
        shard(of: Fingerprint(bits: UInt64(prefix) << 12)).pointee.find(prefix: prefix, in: places)
    }

    /// Puts a record in, in the place of the one before if there is one.
    ///
    /// - Parameter length: bytes of the record.
    /// - Returns: the rounded length of the record that was replaced; 0 for a new key.
    @inline(__always)
    mutating func put(_ fingerprint: Fingerprint, place: UInt32, length: Int) -> Int {
        let new = IndexSlot(fingerprint, place: place, length: length)
        if let old = shard(of: fingerprint).pointee.put(new) { return old.length }
        presence.add(fingerprint)
        count += 1
        return 0
    }

    /// A slot's uses; `nil` if the index keeps none. A new slot's are empty; one that is replaced keeps its own.
    @inline(__always)
    func note(of slot: UnsafeMutablePointer<IndexSlot>) -> UnsafeMutablePointer<UseFrequency>? {
        hasNotes ? shard(of: slot.pointee.fingerprint).pointee.note(of: slot) : nil
    }

    /// Makes room for this many keys, if there is less.
    mutating func reserve(_ keyCount: Int) {
        for number in 0..<1 << shardBits { shards[number].reserve(keyCount >> shardBits) }
    }

    /// How many slots a search for a fingerprint passes; see `IndexShard.probeCount`.
    func probeCount(of fingerprint: Fingerprint, isMoving: Bool) -> Int {
        shard(of: fingerprint).pointee.probeCount(of: fingerprint, isMoving: isMoving)
    }

    /// Takes a record out.
    mutating func remove(_ slot: UnsafeMutablePointer<IndexSlot>) {
        let fingerprint = slot.pointee.fingerprint
        presence.remove(fingerprint)
        shard(of: fingerprint).pointee.remove(slot)
        count -= 1
    }

    /// Empties the index and frees its memory.
    mutating func removeAll() {
        presence.removeAll()
        for number in 0..<1 << shardBits {
            shards[number].release()
            shards[number] = IndexShard(none: none, shardBits: shardBits, hasNotes: hasNotes)
        }
        count = 0
    }

    /// Calls back with every slot, in the order of fingerprints.
    func forEach(_ body: (UnsafeMutablePointer<IndexSlot>) -> Void) {
        for number in 0..<1 << shardBits { shards[number].forEach(body) }
    }
}

/// Recognises most keys that aren't in the index, without the log's lock: a counting Bloom filter with one hash.
///
/// Each group of keys counts its keys; a count of 0 means that the group has none. One thread at a time writes, any
/// number read meanwhile. A reader that knows of a key's insertion, since it made it or was told by the thread that
/// did, sees its count, which was written before. A full log of 4 KiB entries has about three groups a key, so three of
/// four misses find an empty group.
///
/// `@unchecked Sendable`: the address and the number of groups are constant, and the counts are atomic.
///
/// Invariant of the pointer: `bytes` has a byte for every two groups, a power of two of them; freed only in `deinit`.
final class KeyPresence: @unchecked Sendable {
    private let bytes: UnsafeMutablePointer<Atomic<UInt8>>
    private let groupCount: Int

    /// No keys.
    ///
    /// - Parameter capacity: of the log, bytes; there is a byte, two groups, for every 4 KiB or a little less, from 32
    ///   to 16 Mi.
    init(forCapacity capacity: Int) {
        var byteCount = 32
        while byteCount < capacity >> 12, byteCount < 1 << 24 { byteCount *= 2 }
        groupCount = byteCount * 2
        guard let zeros = calloc(byteCount, 1) else {
            preconditionFailure("no memory for \(byteCount) bytes of the disk tier's index; lower the disk capacity")
        }
        bytes = zeros.bindMemory(to: Atomic<UInt8>.self, capacity: byteCount)
    }

    deinit { free(bytes) }

    /// Bytes of memory in use.
    var byteCount: Int { groupCount / 2 }

    /// Whether no key of this fingerprint is in the index.
    @inline(__always)
    func lacks(_ fingerprint: Fingerprint) -> Bool {
        let (byte, shift) = place(of: fingerprint)
        return byte.pointee.load(ordering: .relaxed) &>> shift & 15 == 0
    }

    /// Counts a key in. Writer only.
    @inline(__always)
    func add(_ fingerprint: Fingerprint) { change(fingerprint, by: 1) }

    /// Counts a key out. Writer only.
    @inline(__always)
    func remove(_ fingerprint: Fingerprint) { change(fingerprint, by: -1) }

    /// Removes all keys. Writer only.
    func removeAll() {
        // Eight bytes at a time; there is a multiple of eight.
        UnsafeMutableRawPointer(bytes).withMemoryRebound(to: Atomic<UInt64>.self, capacity: byteCount / 8) { words in
            for index in 0..<byteCount / 8 where words[index].load(ordering: .relaxed) != 0 {
                words[index].store(0, ordering: .relaxed)
            }
        }
    }

    /// By the low bits of the fingerprint, since the index uses the high ones.
    @inline(__always)
    private func place(of fingerprint: Fingerprint) -> (byte: UnsafeMutablePointer<Atomic<UInt8>>, shift: UInt8) {
        let group = Int(truncatingIfNeeded: fingerprint.bits) & (groupCount - 1)
        return (bytes + (group >> 1), UInt8(truncatingIfNeeded: group & 1) << 2)
    }

    /// A count of 15 may stand for more keys, so it stays.
    @inline(__always)
    private func change(_ fingerprint: Fingerprint, by step: Int8) {
        let (byte, shift) = place(of: fingerprint)
        let counts = byte.pointee.load(ordering: .relaxed)
        guard counts &>> shift & 15 < 15 else { return }
        byte.pointee.store(counts &+ UInt8(bitPattern: step) &<< shift, ordering: .relaxed)
    }
}
