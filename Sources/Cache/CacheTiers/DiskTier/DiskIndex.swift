/// Where the newest record of each key is, in memory: at most 14 bytes a key, and 9 more for a note of its uses.
///
/// Keys are known by their `Fingerprint`. Its high bits choose one of many shards, each of which grows and shrinks in
/// small steps, so that no single change moves more than one shard's share.
///
/// Invariant of the pointers: `shards` has `1 << shardBits` initialised shards; `none` is one empty slot that empty shards
/// share. Both are freed in `deinit` alone. A slot that is handed out is good until the next change of the index.
struct DiskIndex: ~Copyable {
    private let shards: UnsafeMutablePointer<IndexShard>
    private let none: UnsafeMutablePointer<IndexSlot>
    private let shardBits: Int
    private(set) var count = 0
    /// The same keys, for readers without the lock.
    let presence: KeyPresence
    private let hasNotes: Bool

    /// - Parameters:
    ///   - capacity: of the log, bytes: there will be a shard for every 16 MiB.
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
        shard(of: Fingerprint(bits: UInt64(prefix) << 12)).pointee.find(prefix: prefix) { places.contains($0.place) }
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

    /// The note of a slot; `nil` if the index keeps none. A new slot's is empty; one that is replaced keeps its note.
    @inline(__always)
    func note(of slot: UnsafeMutablePointer<IndexSlot>) -> UnsafeMutablePointer<UseNote>? {
        hasNotes ? shard(of: slot.pointee.fingerprint).pointee.note(of: slot) : nil
    }

    /// Makes room for so many keys, if there is less.
    mutating func reserve(_ keyCount: Int) {
        for number in 0..<1 << shardBits { shards[number].reserve(keyCount >> shardBits) }
    }

    /// Takes a record out.
    mutating func remove(_ slot: UnsafeMutablePointer<IndexSlot>) {
        let fingerprint = slot.pointee.fingerprint
        presence.remove(fingerprint)
        shard(of: fingerprint).pointee.remove(slot)
        count -= 1
    }

    /// Empties the index and gives its memory back.
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
