import Platform

/// A file in a cache directory, opened and found to be this user's alone.
///
/// Links are not followed: an attacker, or a mistake, could have put one to another file in the file's place.
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
        // Its other name may be that of another cache, or of anything else.
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

/// Whether an open file can still be found by a name. A system that does not say is believed to have it.
func hasName(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) != 0 || status.st_nlink > 0
}

/// A file, whatever its names.
struct FileIdentity: Hashable, Sendable {
    var device: UInt64
    var inode: UInt64
}
