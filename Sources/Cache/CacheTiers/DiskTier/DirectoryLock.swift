// Invariant of the pointers: the value of `descriptors` is used while its lock is held. In a forked child the lock is
// held since `prepareToFork`, and there is one thread.

import Platform
import Synchronization

/// The ownership of a cache directory: one owner in the whole system, and one in the process.
///
/// `flock` on a file that is never unlinked, since otherwise two owners could each lock a file of the same name. The lock
/// belongs to the open file and not to the process, as `fcntl`'s would, so closing a copy of the file elsewhere in the
/// process does not release it. A child that was started shares the open file until it calls `exec`, so the owner unlocks
/// before it closes; and a forked child closes its copy at once, so that it keeps nothing locked when the owner dies.
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

    /// Whether the lock file still has its name; otherwise another cache may own the directory as well.
    var isInPlace: Bool { isHeld.load(ordering: .acquiring) && Self.owned.isInPlace(identity) }

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

    // Opening and locking are one step for a fork: no child can inherit a file that is locked afterwards.
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

    func isInPlace(_ identity: FileIdentity) -> Bool {
        descriptors.withLock { $0[identity].map { hasName($0) } ?? false }
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
