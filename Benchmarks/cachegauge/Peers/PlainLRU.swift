// Invariant of the pointers: `nodes` and `slots` are allocated and initialised from `init` to `deinit`; a slot holds
// the number of a node with an entry, or 0; node 0 has none and closes the list at both ends.
// Invariant of the pointers: an entry's `bytes` holds the key and then the body from `init` to `deinit`.

import Platform

/// A cache of `PlainEntry` that any thread may use.
protocol PlainCache: AnyObject, Sendable {
    /// - Parameters:
    ///   - capacity: in bytes of cost.
    ///   - count: the most entries.
    init(capacity: Int, count: Int)

    /// A key's entry, which becomes the newest.
    func entry(_ key: UnsafeRawBufferPointer, hash: UInt64) -> PlainEntry?

    /// Stores an entry in place of its key's older one, and evicts the oldest as needed.
    func store(_ entry: PlainEntry)
}

/// An exact LRU as an engineer would write it for speed: one lock, an open-addressing table that is at most half full,
/// a list through an array of nodes. Keys are compared whole, and evicted entries are released after the lock.
///
/// `@unchecked Sendable`: everything that changes is used under `lock`.
final class PlainLRU: PlainCache, @unchecked Sendable {
    private struct Node {
        var entry: Unmanaged<PlainEntry>?
        var hash: UInt64 = 0
        /// The neighbours in the list; the newest and the oldest have node 0.
        var newer: UInt32 = 0
        var older: UInt32 = 0
    }

    private let lock = Lock()
    private let capacity: Int
    private var usage = 0
    private let nodes: UnsafeMutablePointer<Node>
    private var free: [UInt32]
    private let slots: UnsafeMutablePointer<UInt32>
    private let mask: Int

    init(capacity: Int, count: Int) {
        self.capacity = capacity
        // One more is stored before the oldest goes.
        nodes = .allocate(capacity: count + 2)
        nodes.initialize(repeating: Node(), count: count + 2)
        free = (1...UInt32(count + 1)).reversed()
        var size = 4
        while size < count * 2 { size *= 2 }
        slots = .allocate(capacity: size)
        slots.initialize(repeating: 0, count: size)
        mask = size - 1
    }

    deinit {
        var node = Int(nodes[0].older)
        while node != 0 {
            nodes[node].entry?.release()
            node = Int(nodes[node].older)
        }
        nodes.deallocate()
        slots.deallocate()
    }

    @inline(__always)
    func entry(_ key: UnsafeRawBufferPointer, hash: UInt64) -> PlainEntry? {
        lock.lock()
        defer { lock.unlock() }
        guard let slot = slot(of: key, hash) else { return nil }
        let node = Int(slots[slot])
        if nodes[0].older != UInt32(node) {
            unlink(node)
            link(node)
        }
        return nodes[node].entry?.takeUnretainedValue()
    }

    func store(_ entry: PlainEntry) {
        // A store seldom replaces or evicts more than one; an array for that one would cost an allocation.
        var gone: Unmanaged<PlainEntry>?
        var others: [Unmanaged<PlainEntry>] = []
        lock.lock()
        if let slot = slot(of: entry.key, entry.hash) { gone = remove(at: slot) }
        while usage + entry.cost > capacity, let slot = oldestSlot {
            guard let evicted = remove(at: slot) else { continue }
            if gone == nil { gone = evicted } else { others.append(evicted) }
        }
        if usage + entry.cost <= capacity, let node = free.popLast() {
            nodes[Int(node)].entry = .passRetained(entry)
            nodes[Int(node)].hash = entry.hash
            link(Int(node))
            usage += entry.cost
            var slot = home(entry.hash)
            while slots[slot] != 0 { slot = (slot + 1) & mask }
            slots[slot] = node
        }
        lock.unlock()
        gone?.release()
        for entry in others { entry.release() }
    }

    // MARK: The table

    @inline(__always)
    private func home(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & mask }

    @inline(__always)
    private func slot(of key: UnsafeRawBufferPointer, _ hash: UInt64) -> Int? {
        var slot = home(hash)
        while slots[slot] != 0 {
            let node = nodes + Int(slots[slot])
            if node.pointee.hash == hash, node.pointee.entry?._withUnsafeGuaranteedRef({ $0.hasKey(key) }) == true {
                return slot
            }
            slot = (slot + 1) & mask
        }
        return nil
    }

    private var oldestSlot: Int? {
        let oldest = nodes[0].newer
        guard oldest != 0 else { return nil }
        var slot = home(nodes[Int(oldest)].hash)
        while slots[slot] != oldest { slot = (slot + 1) & mask }
        return slot
    }

    /// Empties a slot, and moves up later ones that wouldn't be found otherwise.
    private func remove(at slot: Int) -> Unmanaged<PlainEntry>? {
        let node = Int(slots[slot])
        let entry = nodes[node].entry
        nodes[node].entry = nil
        unlink(node)
        free.append(UInt32(node))
        usage -= entry?._withUnsafeGuaranteedRef { $0.cost } ?? 0
        var hole = slot
        var next = (slot + 1) & mask
        while slots[next] != 0 {
            let distance = (next - home(nodes[Int(slots[next])].hash)) & mask
            if distance >= (next - hole) & mask {
                slots[hole] = slots[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        slots[hole] = 0
        return entry
    }

    // MARK: The list

    @inline(__always)
    private func link(_ node: Int) {
        let second = nodes[0].older
        nodes[node].newer = 0
        nodes[node].older = second
        nodes[Int(second)].newer = UInt32(node)
        nodes[0].older = UInt32(node)
    }

    @inline(__always)
    private func unlink(_ node: Int) {
        let (newer, older) = (nodes[node].newer, nodes[node].older)
        nodes[Int(newer)].older = older
        nodes[Int(older)].newer = newer
    }
}

/// Sixteen `PlainLRU`, each with a lock and a part of the capacity: threads seldom wait for each other, but entries are
/// in order of use only within a shard.
final class ShardedLRU: PlainCache {
    private static let count = 16
    private let shards: [PlainLRU]

    init(capacity: Int, count: Int) {
        shards = (0..<Self.count).map { _ in PlainLRU(capacity: capacity / Self.count, count: count / Self.count) }
    }

    @inline(__always)
    func entry(_ key: UnsafeRawBufferPointer, hash: UInt64) -> PlainEntry? { shard(hash).entry(key, hash: hash) }

    func store(_ entry: PlainEntry) { shard(entry.hash).store(entry) }

    /// By the highest bits, since a table uses the lowest.
    @inline(__always)
    private func shard(_ hash: UInt64) -> PlainLRU { shards[Int(truncatingIfNeeded: hash >> 60)] }
}

/// An entry of the plain caches: a key and a body in one allocation, which a caller keeps by reference, like a
/// `StoredEntry`.
///
/// `@unchecked Sendable`: the fields are constants, and the bytes are written only in `init`, before anybody else has
/// it.
final class PlainEntry: @unchecked Sendable {
    let hash: UInt64
    let cost: Int
    let bodyCount: Int
    private let keyCount: Int
    private let bytes: UnsafeMutableRawPointer

    init(key: UnsafeRawBufferPointer, hash: UInt64, body: UnsafeRawBufferPointer, cost: Int) {
        self.hash = hash
        self.cost = cost
        keyCount = key.count
        bodyCount = body.count
        bytes = .allocate(byteCount: key.count + body.count, alignment: 16)
        if let key = key.baseAddress { bytes.copyMemory(from: key, byteCount: keyCount) }
        if let body = body.baseAddress { (bytes + keyCount).copyMemory(from: body, byteCount: bodyCount) }
    }

    deinit { bytes.deallocate() }

    var key: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: bytes, count: keyCount) }

    @inline(__always)
    func hasKey(_ other: UnsafeRawBufferPointer) -> Bool {
        guard keyCount == other.count, let start = other.baseAddress else { return false }
        return memcmp(bytes, start, keyCount) == 0
    }
}
