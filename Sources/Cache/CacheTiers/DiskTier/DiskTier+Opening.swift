import Platform

extension DiskTier {
    /// Opens the tier in a directory, which is made if it doesn't exist.
    ///
    /// - Parameters:
    ///   - directory: path of a directory for this cache alone.
    ///   - capacity: bytes, everything included. Below 16 KiB the tier holds nothing; above 1 TiB it uses no more.
    ///   - seed: for the hashes of keys, if a new file is begun; see `hashSeed`.
    ///   - startsEmpty: whether to begin a new file in any case and drop the contents of an earlier one.
    ///   - policy: which entries are kept when the tier is full. It isn't stored: the next process may open the file
    ///     with another one.
    /// - Throws: `DiskTierError`. A damaged file is no error: the tier begins empty. `.foreignFile` is thrown for a
    ///   file that was never a cache file, `.untrusted` for a link and for files that others own or may write to.
    /// - Complexity: reads 32 bytes of every segment, 1/64 of the capacity. Then 12 bytes of every entry, 0.2 µs each,
    ///   if a tier of 10,000 entries or more was closed since the system started; otherwise 64 bytes of every record.
    public convenience init(
        directory: String, capacity: Int, seed: KeySeed = .random(), startsEmpty: Bool = false,
        policy: EvictionPolicy = .leastRecentlyUsed
    ) throws(DiskTierError) {
        try self.init(
            directory: directory, capacity: capacity, seed: seed, startsEmpty: startsEmpty, policy: policy,
            truncates: true)
    }

    /// The same.
    ///
    /// - Parameter truncates: whether a longer file is truncated at once; if not, before the first change, so that
    ///   `setCapacity` may keep it as it is.
    package convenience init(
        directory: String, capacity: Int, seed: KeySeed = .random(), startsEmpty: Bool = false, policy: EvictionPolicy,
        truncates: Bool
    ) throws(DiskTierError) {
        guard capacity >= 0 else { throw DiskTierError.capacity(CapacityError(tier: "disk", capacity: capacity)) }
        try makeDirectories(directory)
        try OwnFile.check(directory: directory)
        let directoryLock = try DirectoryLock(directory: directory)
        let path = directory + "/cache.log"
        let storage = FileStorage(descriptor: try OwnFile(path: path).descriptor)
        var random = SystemRandomNumberGenerator()
        let code = storage.mappingProblem()
        guard code == 0 else { throw DiskTierError.unsupported(path: path, feature: .mapping, code: code) }
        try empty(storage, at: path, inAnyCase: startsEmpty)
        do throws(StorageError) {
            try self.init(
                storage, capacity: capacity, seed: seed, nonceSeed: random.next(), schedule: .system, policy: policy,
                truncates: truncates, directory: directory, directoryLock: directoryLock)
        } catch {
            throw DiskTierError.unusable(path: path, code: error.code)
        }
    }

    /// Opens the log in a test's storage. Records may wait in memory only if `schedule` is given.
    package convenience init(
        _ storage: any DiskStorage, capacity: Int, seed: KeySeed, nonceSeed: UInt64, schedule: WriteSchedule? = nil,
        leastSavedCount: Int = usualLeastSavedCount, policy: EvictionPolicy = .leastRecentlyUsed,
        sweptAtOnce: Int = usuallySweptAtOnce
    ) throws(StorageError) {
        try self.init(
            storage, capacity: capacity, seed: seed, nonceSeed: nonceSeed, schedule: schedule,
            leastSavedCount: leastSavedCount, policy: policy, sweptAtOnce: sweptAtOnce, directoryLock: nil)
    }
}

/// Empties the file if asked to.
///
/// - Throws: `DiskTierError.foreignFile`, having changed nothing, if the file was never a cache file.
private func empty(_ storage: FileStorage, at path: String, inAnyCase isWanted: Bool) throws(DiskTierError) {
    let mayReplace: Bool
    do throws(StorageError) {
        mayReplace = try Superblock.mayReplace(storage)
        if mayReplace, isWanted { try storage.resize(to: 0) }
    } catch {
        throw DiskTierError.unusable(path: path, code: error.code)
    }
    guard mayReplace else { throw DiskTierError.foreignFile(path: path) }
}

/// Makes a directory and those above it.
private func makeDirectories(_ path: String) throws(DiskTierError) {
    if mkdir(path, 0o700) == 0 { return }
    let code = errno
    if code == EEXIST { return }
    guard code == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
        throw DiskTierError.unusable(path: path, code: code)
    }
    try makeDirectories(String(path[..<slash]))
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
        throw DiskTierError.unusable(path: path, code: errno)
    }
}

/// The reason why a disk tier began empty.
public enum StartReason: Hashable, Sendable {
    /// There was no file, or an empty one.
    case newFile
    /// The file is not a log of this cache.
    case notALog
    /// Another version of the format wrote the file.
    case otherVersion(UInt32)
    /// The superblock is damaged; an older one is not used, since that could bring back cleared entries.
    case damagedSuperblock
    /// The process was killed while it moved segments to fit a lower capacity.
    case interruptedMove
    /// The file could not be read; the system's error number.
    case unreadable(Int32)
    /// The capacity differs so much from the file's that the file had to be divided differently, and nothing fitted.
    case otherCapacity
    /// The capacity is too small to hold anything.
    case noCapacity
}
