import Platform

extension DiskTier {
    /// Opens the tier in a directory, which is made if it does not exist.
    ///
    /// - Parameters:
    ///   - directory: path of a directory for this cache alone.
    ///   - capacity: bytes, everything included. Below 16 KiB the tier holds nothing; above 32 GiB it uses no more.
    ///   - seed: the seed for the hashes of keys if a new file is begun; see `hashSeed`.
    ///   - startsEmpty: whether to begin a new file in any case and drop the contents of an earlier one.
    /// - Throws: `DiskTierError`, but never because of the contents of the files.
    /// - Complexity: reads 32 bytes of every 1/64 of the capacity and 64 of every record.
    public convenience init(
        directory: String, capacity: Int, seed: KeySeed = .random(), startsEmpty: Bool = false
    ) throws(DiskTierError) {
        guard capacity >= 0 else { throw DiskTierError.capacity(CapacityError(tier: "disk", capacity: capacity)) }
        try makeDirectories(directory)
        let directoryLock = try DirectoryLock(directory: directory)
        let path = directory + "/cache.log"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | (startsEmpty ? O_TRUNC : 0), 0o600)
        guard descriptor >= 0 else { throw DiskTierError.unusable(path: path, code: errno) }
        var random = SystemRandomNumberGenerator()
        do throws(StorageError) {
            try self.init(
                FileStorage(descriptor: descriptor), capacity: capacity, seed: seed, nonceSeed: random.next(),
                timing: .system, directoryLock: directoryLock)
        } catch {
            throw DiskTierError.unusable(path: path, code: error.code)
        }
    }

    /// Opens the log in a storage that a test provides. Records may wait in memory only if `timing` is given.
    package convenience init(
        _ storage: any DiskStorage, capacity: Int, seed: KeySeed, nonceSeed: UInt64, timing: StageTiming? = nil
    ) throws(StorageError) {
        try self.init(
            storage, capacity: capacity, seed: seed, nonceSeed: nonceSeed, timing: timing, directoryLock: nil)
    }
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
