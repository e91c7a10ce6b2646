// Invariant of the pointers: `openedDisk` is set once, to a tier that it retains until `deinit`.

import Platform
import Synchronization

/// The memory tier in front of the disk tier.
///
/// A store goes to both tiers at once (write-through), so that an eviction from memory costs nothing and an entry
/// survives the process. A disk hit is promoted to memory. A store that supersedes an entry removes it from every tier
/// that does not take the new one, so that an old version never returns.
///
/// Any number of threads may use a cache, and it is linearizable but for evictions: every operation takes effect at one
/// moment between its call and its return, except that a lookup beside a removal may miss an entry that another thread
/// still finds. Changes of one key happen one after the other, disk first, so both tiers see them in one order. A
/// lookup waits for no change. A promotion that a change has overtaken is refused by its ticket (`MemoryTier.promote`),
/// and none happens while a change is between the two tiers.
public final class TwoTierCache: Sendable {
    /// The first tier.
    public let memory: MemoryTier
    /// The second tier; `nil` until it is opened.
    public var disk: DiskTier? { openedDisk.load(ordering: .acquiring)?.takeUnretainedValue() }
    /// Hashes keys as both tiers expect.
    public let hasher: KeyHasher
    private let changing: StripedLocks
    /// Held to open the disk tier, and to change settings that it takes over.
    private let opening = LockFreeInChild()
    /// A retained tier, which is released in `deinit`, or after it was replaced: a user of the cache may use the tier
    /// without retaining it. (`AtomicLazyReference` does the same; its `load` is not specialised, and takes 28 ns.)
    private let openedDisk: Atomic<Unmanaged<DiskTier>?>
    private let isErasing = Atomic<Bool>(false)
    /// Tiers whose directory was removed, closed. Other threads may still use them.
    private let replaced = Locked<[DiskTier]>([])
    /// For tests: called between any two steps that another thread may come between.
    private let pause: (@Sendable () -> Void)?

    /// Joins two tiers whose entries are hashed by `hasher`.
    public convenience init(memory: MemoryTier, disk: DiskTier?, hasher: KeyHasher) {
        self.init(memory: memory, disk: disk, hasher: hasher, pause: nil)
    }

    /// Joins two tiers, and calls `pause` between any two steps that another thread may come between.
    package init(memory: MemoryTier, disk: DiskTier?, hasher: KeyHasher, pause: (@Sendable () -> Void)?) {
        self.memory = memory
        self.hasher = hasher
        self.pause = pause
        changing = StripedLocks(pause: pause)
        openedDisk = Atomic(disk.map(Unmanaged.passRetained))
    }

    deinit { openedDisk.load(ordering: .acquiring)?.release() }

    /// Opens the second tier, or sets its capacity if it is open already. If its directory was removed, it is made
    /// again.
    ///
    /// It has the memory tier's policy, and begins empty: this cache may have replaced or removed entries that an
    /// earlier cache left in the directory, and an old version never returns.
    ///
    /// - Parameters:
    ///   - directory: path of a directory for this cache alone; it is made if it does not exist.
    ///   - capacity: bytes, everything included.
    /// - Throws: `DiskTierError`; the cache goes on from memory alone.
    public func openDisk(directory: String, capacity: Int) throws(DiskTierError) {
        try opening.withLock { () throws(DiskTierError) in
            guard disk != nil else { return try open(directory, capacity: capacity) }
            // Under all locks, since another thread may be making the directory again.
            try changing.withAllLocks { () throws(DiskTierError) in
                guard let disk else { return }
                if disk.problem == nil { try disk.setCapacity(capacity) } else { try replace(disk, capacity: capacity) }
            }
        }
    }

    private func open(_ directory: String, capacity: Int) throws(DiskTierError) {
        let opened = try DiskTier(
            directory: directory, capacity: capacity, seed: hasher.seed, startsEmpty: true, policy: memory.policy)
        opened.erasesRemoved = erasesRemoved
        pause?()
        openedDisk.store(Unmanaged.passRetained(opened), ordering: .releasing)
    }

    /// Makes the directory of a tier again, empty, while no entry changes.
    ///
    /// The old tier is closed first: one of its files may still be there, and become the new one's. The other's bytes
    /// are given back.
    ///
    /// - Throws: if that fails; the old tier finds nothing any more, and the next call tries again.
    private func replace(_ disk: DiskTier, capacity: Int) throws(DiskTierError) {
        guard let directory = disk.directory else { return }
        disk.abandon()
        try open(directory, capacity: capacity)
        replaced.withLock { $0.append(disk) }
        Unmanaged.passUnretained(disk).release()
    }

    /// The entry stored under `key`, and the tier that had it.
    ///
    /// - Parameters:
    ///   - key: the key's bytes.
    ///   - hash: `hasher`'s hash of `key`.
    /// - Complexity: O(1); a memory hit touches no disk, a miss makes no system call.
    public func lookup(_ key: UnsafeRawBufferPointer, hash: KeyHash) -> (entry: StoredEntry, tier: CacheTier)? {
        if let entry = memory.lookup(key, hash: hash) { return (entry, .memory) }
        return lookupOnDisk(key, hash: hash, .now).map { ($0, .disk) }
    }

    /// The same, for a caller that says when to release what the promotion evicts.
    package func lookup(
        _ key: UnsafeRawBufferPointer, hash: KeyHash, _ timing: ReleaseTiming
    ) -> (entry: StoredEntry, tier: CacheTier)? {
        if let entry = memory.lookup(key, hash: hash) { return (entry, .memory) }
        return lookupOnDisk(key, hash: hash, timing).map { ($0, .disk) }
    }

    /// The entry stored under `key` or its handout (`StoredEntry.keepHandout`), and the tier that had it.
    package func lookupHandout(_ key: UnsafeRawBufferPointer, hash: KeyHash) -> (hit: MemoryHit, tier: CacheTier)? {
        if let hit = memory.lookupHandout(key, hash: hash) { return (hit, .memory) }
        return lookupOnDisk(key, hash: hash, .now).map { (.entry($0), .disk) }
    }

    private func lookupOnDisk(_ key: UnsafeRawBufferPointer, hash: KeyHash, _ timing: ReleaseTiming) -> StoredEntry? {
        guard let disk = openedDisk.load(ordering: .acquiring) else { return nil }
        pause?()
        let ticket = memory.promotionTicket(for: hash)
        pause?()
        guard let entry = disk._withUnsafeGuaranteedRef({ $0.lookup(key, hash: hash) }) else { return nil }
        pause?()
        // Not while a change is between the two tiers: others may have seen its version on disk already.
        let promotion = changing.withLockIfFree(hash) { memory.promote(entry, ticket: ticket, .later).outcome }
        if timing == .now { memory.releaseHeld() }
        guard promotion == nil || promotion == .outdated else { return entry }
        // Others may be reading another version from memory, and this one may not come before theirs.
        return memory.lookup(key, hash: hash) ?? entry
    }

    /// Stores an entry in the tiers that its policy names and that it fits into, in place of any other of its key.
    ///
    /// - Returns: the outcome in each tier.
    @discardableResult
    public func store(_ entry: StoredEntry) -> TwoTierStoreResult { store(entry, .now) }

    /// The same, for a caller that says when to release what it evicts.
    @discardableResult
    package func store(_ entry: StoredEntry, _ timing: ReleaseTiming) -> TwoTierStoreResult {
        defer { if timing == .now { memory.releaseHeld() } }
        return changing.withLock(entry.hash) {
            pause?()
            let onDisk = disk.map { disk in
                Result { () throws(DiskTierError) in try disk.store(entry) }
            }
            pause?()
            let inMemory = memory.store(entry, .later)
            pause?()
            return TwoTierStoreResult(memory: inMemory, disk: onDisk)
        }
    }

    /// Removes the entry of `key` from both tiers.
    ///
    /// - Returns: whether either had one.
    /// - Throws: when the disk could not be written; see `DiskTier.remove`. It is gone from memory all the same.
    @discardableResult
    public func remove(_ key: UnsafeRawBufferPointer, hash: KeyHash) throws(DiskTierError) -> Bool {
        try remove(key, hash: hash, .now)
    }

    /// The same, for a caller that says when to release what it removes.
    @discardableResult
    package func remove(
        _ key: UnsafeRawBufferPointer, hash: KeyHash, _ timing: ReleaseTiming
    ) throws(DiskTierError) -> Bool {
        defer { if timing == .now { memory.releaseHeld() } }
        let (onDisk, wasInMemory) = changing.withLock(hash) {
            pause?()
            let onDisk = Result { () throws(DiskTierError) in try disk?.remove(hash) ?? false }
            pause?()
            let wasInMemory = memory.remove(key, hash: hash, .later)
            pause?()
            return (onDisk, wasInMemory)
        }
        return try onDisk.get() || wasInMemory
    }

    /// Removes everything from both tiers. If the directory of the second was removed, it is made again.
    ///
    /// - Throws: when the disk could not be written; see `DiskTier.removeAll`. Memory is empty all the same.
    public func removeAll() throws(DiskTierError) { try removeAll(.now) }

    /// The same, for a caller that says when to release what it removes.
    package func removeAll(_ timing: ReleaseTiming) throws(DiskTierError) {
        defer { if timing == .now { memory.releaseHeld() } }
        try changing.withAllLocks { () throws(DiskTierError) in
            defer { memory.removeAll(.later) }
            pause?()
            if let disk {
                if disk.problem == nil { try disk.removeAll() } else { try replace(disk, capacity: disk.capacity) }
            }
            pause?()
        }
    }

    /// Removes from both tiers the entries whose `storedAt` is after `moment`.
    ///
    /// - Throws: when the disk could not be written; see `DiskTier.removeAll`. They are gone from memory all the same.
    /// - Complexity: linear in the entries in memory; on disk see `DiskTier.removeAll(since:)`.
    public func removeAll(since moment: Int64) throws(DiskTierError) { try removeAll(since: moment, .now) }

    /// The same, for a caller that says when to release what it removes.
    package func removeAll(since moment: Int64, _ timing: ReleaseTiming) throws(DiskTierError) {
        defer { if timing == .now { memory.releaseHeld() } }
        try changing.withAllLocks { () throws(DiskTierError) in
            defer { memory.removeAll(since: moment, .later) }
            pause?()
            try disk?.removeAll(since: moment)
            pause?()
        }
    }

    /// Removes from both tiers the entries whose keys begin with `prefix`.
    ///
    /// - Throws: when the disk could not be written; see `DiskTier.removeAll`. They are gone from memory all the same.
    /// - Complexity: linear in the entries of both tiers.
    package func removeAll(
        withPrefix prefix: UnsafeRawBufferPointer, _ timing: ReleaseTiming = .now
    ) throws(DiskTierError) {
        defer { if timing == .now { memory.releaseHeld() } }
        try changing.withAllLocks { () throws(DiskTierError) in
            defer { memory.removeAll(withPrefix: prefix, .later) }
            pause?()
            try disk?.removeAll(withPrefix: prefix)
            pause?()
        }
    }

    /// Releases what calls with `ReleaseTiming.later` left. The caller holds no lock.
    package func releaseHeld() { memory.releaseHeld() }

    /// Whether each removal overwrites on disk what it removes; see `DiskTier.erasesRemoved`.
    package var erasesRemoved: Bool {
        get { isErasing.load(ordering: .relaxed) }
        set {
            opening.withLock {
                isErasing.store(newValue, ordering: .relaxed)
                disk?.erasesRemoved = newValue
            }
        }
    }
}

/// One of the two tiers.
@frozen
public enum CacheTier: Sendable {
    /// Entries as objects in memory.
    case memory
    /// Records in the log on disk.
    case disk
}

/// The outcome of a store in each tier.
public struct TwoTierStoreResult: Sendable {
    /// In memory.
    public let memory: StoreResult
    /// On disk, or the reason why it could not be written; `nil` when the cache has no disk tier.
    public let disk: Result<DiskStoreResult, DiskTierError>?
}
