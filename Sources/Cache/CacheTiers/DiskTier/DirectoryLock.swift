// Invariant of the pointers: the value of `descriptors` is used while its lock is held. In a forked child the lock is
// held since `prepareToFork`, and there is one thread.

import Platform
import Synchronization

/// Owns a cache directory: one owner in the whole system, and one in the process.
///
/// `flock` on a file that is never unlinked, or two owners could each lock a file of the same name. The lock belongs to
/// the open file and not to the process, as `fcntl`'s would, so closing another descriptor of the file doesn't release
/// it. A child shares the open file until it calls `exec`, so the owner unlocks before it closes; a forked child closes
/// its copy at once, so that it keeps nothing locked when the owner dies.
final class DirectoryLock: Sendable {
    private let identity: FileIdentity
    private let isHeld = Atomic<Bool>(true)
    private let forkGeneration = currentForkGeneration()

    private static let owned = OwnedDirectories()

    /// Takes the directory.
    ///
    /// - Throws: `DiskTierError.inUse` when another cache has it, `.unsupported` when its file system has no locks.
    init(directory: String) throws(DiskTierError) {
        identity = try Self.owned.take(directory)
    }

    /// Whether the lock file still is in the directory; if not, another cache may own that as well.
    func isInPlace(in directory: String) -> Bool {
        isHeld.load(ordering: .acquiring) && Self.owned.isInPlace(identity, directory + "/cache.lock")
    }

    /// Gives the directory back before the object is released.
    func release() {
        // A child inherits the parent's objects, but not its directories.
        guard currentForkGeneration() == forkGeneration, isHeld.exchange(false, ordering: .acquiringAndReleasing)
        else { return }
        Self.owned.giveBack(identity)
    }

    deinit { release() }
}

/// The directories that this process owns, by their lock files.
private final class OwnedDirectories: ForkObserver {
    private let descriptors = Locked<[FileIdentity: Int32]>([:])

    init() { ForkObservers.add(self) }

    deinit { ForkObservers.remove(self) }

    // Opening and locking are one step for a fork: no child can inherit a file that is locked later.
    func take(_ directory: String) throws(DiskTierError) -> FileIdentity {
        try descriptors.withLock { (descriptors) throws(DiskTierError) in
            let file = try OwnFile(path: directory + "/cache.lock")
            guard descriptors[file.identity] == nil else {
                _ = close(file.descriptor)
                throw DiskTierError.inUse(directory: directory)
            }
            let code = Self.lock(file.descriptor)
            guard code == 0 else {
                _ = close(file.descriptor)
                throw Self.error(code, directory)
            }
            descriptors[file.identity] = file.descriptor
            return file.identity
        }
    }

    func giveBack(_ identity: FileIdentity) {
        descriptors.withLock {
            guard let descriptor = $0.removeValue(forKey: identity) else { return }
            _ = flock(descriptor, LOCK_UN)
            _ = close(descriptor)
        }
    }

    func isInPlace(_ identity: FileIdentity, _ path: String) -> Bool {
        descriptors.withLock { $0[identity].map { leads(path, to: $0) } ?? false }
    }

    /// - Returns: 0, or the system's error number.
    private static func lock(_ descriptor: Int32) -> Int32 {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno != EINTR { return errno }
        }
        return 0
    }

    private static func error(_ code: Int32, _ directory: String) -> DiskTierError {
        switch code {
        case EWOULDBLOCK: .inUse(directory: directory)
        // Some network file systems. Two processes would destroy each other's entries.
        case ENOLCK, ENOTSUP, EOPNOTSUPP, ENOSYS, ENODEV:
            .unsupported(path: directory, feature: .locks, code: code)
        default: .unusable(path: directory + "/cache.lock", code: code)
        }
    }

    func prepareToFork() { descriptors.lock.lock() }

    func resumeInParent() { descriptors.lock.unlock() }

    func resumeInChild() {
        for descriptor in descriptors.value.pointee.values { _ = close(descriptor) }
        let forgotten = descriptors.value
        forgotten.pointee = [:]
        descriptors.lock.unlock()
    }
}

/// A file in a cache directory, opened and found to be this user's alone.
///
/// Links aren't followed: an attacker, or a mistake, could have put one to another file there.
struct OwnFile {
    /// The open file; the caller closes it.
    let descriptor: Int32
    let identity: FileIdentity

    /// Opens the file for reading and writing, and makes it if it does not exist.
    ///
    /// - Throws: `DiskTierError.unusable` when the system refuses, `.untrusted` when the file is a link, is no regular
    ///   file, belongs to another user, or may be written by others.
    init(path: String) throws(DiskTierError) {
        // Without O_NONBLOCK, opening a device could wait for ever.
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else {
            throw errno == ELOOP ? .untrusted(path: path, flaw: .symbolicLink) : .unusable(path: path, code: errno)
        }
        do throws(DiskTierError) {
            let status = try Self.status(descriptor, path)
            if let flaw = Self.flaw(status) { throw .untrusted(path: path, flaw: flaw) }
            self.descriptor = descriptor
            identity = FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
        } catch {
            _ = close(descriptor)
            throw error
        }
    }

    private static func status(_ descriptor: Int32, _ path: String) throws(DiskTierError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .unusable(path: path, code: errno) }
        return status
    }

    private static func flaw(_ status: stat) -> FileFlaw? {
        if status.st_mode & S_IFMT != S_IFREG { return .otherKind }
        if status.st_uid != geteuid() { return .otherOwner(status.st_uid) }
        if status.st_mode & 0o022 != 0 { return .writableByOthers }
        // Its other name may be another cache's, or anything else's.
        return status.st_nlink == 1 ? nil : .hardLink
    }

    /// - Throws: `DiskTierError.untrusted` when other users could put files into an existing directory.
    static func check(directory path: String) throws(DiskTierError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .unusable(path: path, code: errno) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .unusable(path: path, code: ENOTDIR) }
        // The superuser could put anything there anyway.
        if status.st_uid != geteuid(), status.st_uid != 0 {
            throw .untrusted(path: path, flaw: .otherOwner(status.st_uid))
        }
        if status.st_mode & 0o002 != 0, status.st_mode & S_ISVTX == 0 {
            throw .untrusted(path: path, flaw: .writableByOthers)
        }
    }
}

/// Whether a path still leads to an open file, which may have been removed or moved. Yes, if the system doesn't say.
func leads(_ path: String, to descriptor: Int32) -> Bool {
    var file = stat()
    guard fstat(descriptor, &file) == 0 else { return true }
    guard file.st_nlink > 0 else { return false }
    // A relative path may mean another place by now.
    guard path.utf8.first == UInt8(ascii: "/") else { return true }
    var named = stat()
    guard stat(path, &named) == 0 else { return errno != ENOENT && errno != ENOTDIR }
    return file.st_dev == named.st_dev && file.st_ino == named.st_ino
}

/// A file, whatever its names.
struct FileIdentity: Hashable, Sendable {
    var device: UInt64
    var inode: UInt64
}
