import Platform

/// The second tier: stored entries in one file of a directory, within a capacity that nothing exceeds.
///
/// A cyclic log (FORMAT.md). What it promises:
/// - What a lookup gives was stored under exactly that key, whole: everything is checksummed, and the key compared.
/// - When the process is killed, the newest version whose store returned is found afterwards, or none; what was removed,
///   with the call returned, stays gone. None: of stores in quick succession up to 64 KiB of entries that are new to the
///   tier may wait in memory for 20 ms, so that one call writes several. They are written when the process exits. After a power cut that holds for what `flush` covered; the rest may be older
///   or gone. If the files are damaged, an older or removed version may return, never a wrong or torn one.
/// - The bytes on disk never exceed the capacity; least recently used entries go first, approximately (within 1 point
///   of exact LRU's hit ratio at the same capacity).
///
/// Entries that this process stored are read from a mapping of the file. So that a file which somebody else cuts short is
/// a miss and no crash, the first of them sets a handler for SIGBUS; it passes on to the one before whatever is not its
/// own. Who sets another afterwards has to do the same.
///
/// The order of use is not written down: after opening, entries go in the order in which they were stored, until they
/// are looked up again.
///
/// - Complexity: a lookup that misses does no I/O; one that hits reads once; a store writes once, and carries at most
///   two thirds as many bytes again for entries that were looked up.
public final class DiskTier: Sendable {
    private let log: DiskLog<FileStorage>
    /// Held for as long as the tier is: no two tiers ever write to a directory.
    private let directoryLock: DirectoryLock
    private let directory: String

    /// Opens the tier in a directory, which is made if it is not there.
    ///
    /// - Parameters:
    ///   - directory: path of a directory for this cache alone.
    ///   - capacity: bytes, everything included; below 16 KiB the tier holds nothing, above 32 GiB it uses no more.
    ///   - seed: the seed for the hashes of keys if a new file is begun; see `hashSeed`.
    ///   - startsEmpty: whether a new file is begun in any case, and what an earlier one holds is dropped.
    /// - Throws: `DiskTierError`; never on account of what the files contain.
    /// - Complexity: reads 32 bytes of every 1/64 of the capacity and 64 of every record.
    public init(
        directory: String, capacity: Int, seed: KeySeed = .random(), startsEmpty: Bool = false
    ) throws(DiskTierError) {
        guard capacity >= 0 else { throw DiskTierError.capacity(CapacityError(tier: "disk", capacity: capacity)) }
        try makeDirectories(directory)
        directoryLock = try DirectoryLock(directory: directory)
        self.directory = directory
        let path = directory + "/cache.log"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | (startsEmpty ? O_TRUNC : 0), 0o600)
        guard descriptor >= 0 else { throw DiskTierError.unusable(path: path, code: errno) }
        var random = SystemRandomNumberGenerator()
        do throws(StorageError) {
            log = try DiskLog(
                FileStorage(descriptor: descriptor), capacity: capacity, seed: seed,
                nonceSeed: random.next(), timing: .system)
        } catch {
            throw DiskTierError.unusable(path: path, code: error.code)
        }
        StagesAtExit.shared.add(log)
    }

    deinit {
        StagesAtExit.shared.remove(log)
        log.close()
    }

    /// The entry stored under `key`, as a fresh copy; it counts as used from now on. `nil` when there is none, and when
    /// it cannot be read or is damaged, which `statistics` counts.
    ///
    /// - Parameter hash: the hash of `key`, from a hasher with the tier's `hashSeed`.
    public func lookup(_ key: UnsafeRawBufferPointer, hash: KeyHash) -> StoredEntry? { log.lookup(key, hash: hash) }

    /// Writes an entry. When this returns what it supersedes does not come back; the entry itself survives the process
    /// unless that is killed within 20 ms.
    ///
    /// - Throws: when it could not be written; what it supersedes is gone all the same. `DiskTierError.closed` after
    ///   `close`.
    @discardableResult
    public func store(_ entry: StoredEntry) throws(DiskTierError) -> DiskStoreResult { try log.store(entry) }

    /// Removes what is stored under `hash`.
    ///
    /// - Returns: whether there was anything.
    /// - Throws: when the removal could not be written. Nothing is found any more then, until a later change of the
    ///   tier has emptied the file; but if the process ends before, the entry may return.
    @discardableResult
    public func remove(_ hash: KeyHash) throws(DiskTierError) -> Bool { try log.remove(hash) }

    /// Removes everything, and gives the disk its space back.
    public func removeAll() throws(DiskTierError) { try log.removeAll() }

    /// Removes the entries whose `storedAt` is after `date`.
    ///
    /// - Complexity: reads 64 bytes of every record.
    public func removeAll(since date: Int64) throws(DiskTierError) { try log.removeAll(since: date) }

    /// Returns when all that was stored and removed before survives a power cut.
    public func flush() throws(DiskTierError) { try log.flush() }

    /// Changes the capacity; lowering it has truncated the file when this returns, oldest entries first.
    ///
    /// - Throws: `DiskTierError.capacity` when it is negative; or when the file could not be changed. `capacity` then is
    ///   what it was, unless that was too little for any entry and a disk that refuses everything left bytes behind.
    public func setCapacity(_ capacity: Int) throws(DiskTierError) {
        guard capacity >= 0 else { throw DiskTierError.capacity(CapacityError(tier: "disk", capacity: capacity)) }
        try log.setCapacity(capacity)
    }

    /// The most bytes that the files may have.
    public var capacity: Int { log.capacity }

    /// Bytes of readable records and tombstones, headers included. Exact, O(1).
    public var currentUsage: Int { log.currentUsage }

    /// Bytes that the file system holds for the tier's files together; 0 when it cannot say.
    public var allocatedBytes: Int { (try? log.allocatedBytes()) ?? 0 }

    /// Entries that can be found. O(1).
    public var count: Int { log.count }

    /// Bytes of memory that finding them takes.
    public var indexBytes: Int { log.indexBytes }

    /// What the tier did since it was opened.
    public var statistics: DiskStatistics { log.statistics }

    /// Why the tier began empty; `nil` when it found what an earlier one had stored.
    public var startReason: StartReason? { log.startReason }

    /// The seed that the hashes of keys have to be made with; stored in the file, so that entries are found again.
    public var hashSeed: KeySeed { log.hashSeed }

    /// Ends the use of the tier: lookups miss and changes throw from now on. The directory is free for another tier when
    /// this one is released. Does not flush.
    public func close() { log.close() }
}

/// Makes a directory and those above it.
private func makeDirectories(_ path: String) throws(DiskTierError) {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    let code = errno
    guard code == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
        throw DiskTierError.unusable(path: path, code: code)
    }
    try makeDirectories(String(path[..<slash]))
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
        throw DiskTierError.unusable(path: path, code: errno)
    }
}
