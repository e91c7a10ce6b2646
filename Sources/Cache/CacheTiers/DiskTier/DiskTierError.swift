import Platform

/// Why the disk tier could not be opened or could not do what it was told.
public enum DiskTierError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The capacity is negative.
    case capacity(CapacityError)
    /// Another tier, in this process or in another, has the directory.
    case inUse(directory: String)
    /// The directory or a file in it cannot be made or opened; the system's error number.
    case unusable(path: String, code: Int32)
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
        case .closed:
            "the disk tier was closed, or this process is a fork of the one that opened it; open one of its own"
        case .failed(let operation, let code):
            "disk cache \(operation) failed: \(systemMessage(code)); the entry is not stored"
        }
    }
}

private func systemMessage(_ code: Int32) -> String {
    guard let message = strerror(code) else { return "error \(code)" }
    return String(cString: message)
}
