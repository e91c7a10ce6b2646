import Platform

/// Why the disk tier couldn't be opened, or couldn't make a change.
public enum DiskTierError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The capacity is negative.
    case capacity(CapacityError)
    /// Another tier, in this process or another one, has the directory.
    case inUse(directory: String)
    /// The directory or a file in it can't be made or opened; the system's error number.
    case unusable(path: String, code: Int32)
    /// A file is not safe to write to, and was left as it is.
    case untrusted(path: String, flaw: FileFlaw)
    /// The file is no cache file, and was left as it is.
    case foreignFile(path: String)
    /// The file system lacks what the tier needs; the system's error number.
    case unsupported(path: String, feature: FileSystemFeature, code: Int32)
    /// The directory, or a file in it, was removed while the tier used it. What is stored meanwhile is gone with the
    /// process.
    case removed(directory: String)
    /// The tier was closed, or this process is a fork of the one that opened it.
    case closed
    /// A file operation failed; the system's error number.
    case failed(operation: String, code: Int32)

    static func system(_ error: StorageError) -> DiskTierError {
        .failed(operation: error.operation.rawValue, code: error.code)
    }

    /// The thing, the reason and the remedy.
    public var description: String {
        switch self {
        case .capacity(let error):
            error.description
        case .inUse(let directory):
            "cache directory \(directory) is in use by another cache; give each its own, or go without the disk tier"
        case .unusable(let path, let code):
            "\(path) cannot be used: \(systemMessage(code)); choose a directory that this process can write to"
        case .untrusted(let path, let flaw):
            "\(path) is not used for the cache: it \(flaw); choose a directory that only this user can write to"
        case .foreignFile(let path):
            "\(path) is not a cache file and was left as it is; choose another directory, or move the file away"
        case .unsupported(let path, let feature, let code):
            "\(path): the file system has no \(feature) (\(systemMessage(code))); choose a directory on a local disk"
        case .removed(let directory):
            "cache directory \(directory) was removed under the cache; clear the cache, or set its disk capacity, to make it again"
        case .closed:
            "the disk tier was closed, or this process is a fork of the one that opened it; open another tier in this process"
        case .failed(let operation, let code):
            "disk cache \(operation) failed: \(systemMessage(code)); make room on the disk, or choose another directory"
        }
    }
}

/// Why a file or directory is not trusted.
public enum FileFlaw: Hashable, Sendable, CustomStringConvertible {
    /// The name is a symbolic link.
    case symbolicLink
    /// The file has more than one name.
    case hardLink
    /// It is a directory, a device or a pipe.
    case otherKind
    /// It belongs to the user with this number.
    case otherOwner(UInt32)
    /// Other users may write to it.
    case writableByOthers

    /// The flaw as a predicate: `is a symbolic link`.
    public var description: String {
        switch self {
        case .symbolicLink: "is a symbolic link"
        case .hardLink: "has more than one name"
        case .otherKind: "is not a regular file"
        case .otherOwner(let user): "belongs to user \(user)"
        case .writableByOthers: "can be written by other users"
        }
    }
}

/// A feature of file systems that the disk tier needs.
public enum FileSystemFeature: String, Hashable, Sendable, CustomStringConvertible {
    /// `flock`.
    case locks
    /// `mmap` of a file for reading.
    case mapping

    /// `file locks`, `file mapping`.
    public var description: String { "file \(rawValue)" }
}

private func systemMessage(_ code: Int32) -> String {
    guard let message = strerror(code) else { return "error \(code)" }
    return String(cString: message)
}
