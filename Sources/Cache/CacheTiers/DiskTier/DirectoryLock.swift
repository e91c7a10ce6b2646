import Platform

/// The ownership of a cache directory: one owner in the whole system, and one in the process.
///
/// `flock` on a file that is never unlinked (or two owners could each lock a file of the same name). It belongs to the
/// open file and not, as `fcntl`'s locks do, to the process, so it keeps out a second opener within the process too;
/// where a file system does not support it, the table of this process still does. A forked child inherits the open
/// file and with it the lock: the directory stays owned until the child ends too, or starts another program.
final class DirectoryLock: Sendable {
    private let descriptor: Int32
    private let identity: FileIdentity

    private static let owned = OwnedDirectories()

    /// Takes the directory.
    ///
    /// - Throws: `DiskTierError.inUse` when somebody has it.
    init(directory: String) throws(DiskTierError) {
        let path = directory + "/cache.lock"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw DiskTierError.unusable(path: path, code: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let code = errno
            _ = close(descriptor)
            throw DiskTierError.unusable(path: path, code: code)
        }
        let identity = FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
        guard Self.owned.take(identity) else {
            _ = close(descriptor)
            throw DiskTierError.inUse(directory: directory)
        }
        var code: Int32 = 0
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            code = errno
            if code != EINTR { break }
            code = 0
        }
        // Network file systems may not know flock; there one process is all that can be kept in order.
        guard code == 0 || code == ENOTSUP || code == ENOLCK || code == ENOSYS else {
            Self.owned.giveBack(identity)
            _ = close(descriptor)
            throw code == EWOULDBLOCK
                ? DiskTierError.inUse(directory: directory) : DiskTierError.unusable(path: path, code: code)
        }
        self.descriptor = descriptor
        self.identity = identity
    }

    deinit {
        // Closing, not LOCK_UN: in a forked child that would take the lock from the parent.
        Self.owned.giveBack(identity)
        _ = close(descriptor)
    }
}

private struct FileIdentity: Hashable {
    var device: UInt64
    var inode: UInt64
}

/// The lock files of the directories that this process owns.
///
/// `@unchecked Sendable`: `identities` is touched under `lock` alone.
private final class OwnedDirectories: @unchecked Sendable {
    private let lock = Lock()
    private var identities: Set<FileIdentity> = []

    /// - Returns: whether nobody had it.
    func take(_ identity: FileIdentity) -> Bool { lock.withLock { identities.insert(identity).inserted } }

    func giveBack(_ identity: FileIdentity) { lock.withLock { _ = identities.remove(identity) } }
}
