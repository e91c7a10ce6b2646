import CacheTiers
import Platform

/// Storage in memory that fails when it is told to.
///
/// `@unchecked Sendable`: everything is under the lock.
package final class MemoryStorage: DiskStorage, @unchecked Sendable {
    /// What happens to one of the next operations.
    package enum Fault: Sendable {
        /// It does nothing and reports the error number.
        case error(Int32)
        /// A write does its first bytes and reports an error; of a read nothing after them is found.
        case short(Int)
        /// A write does its first bytes, and the process is no more: everything after fails.
        case kill(Int)
    }

    private let lock = Lock()
    private var file: SimulatedFile
    private var faults: [(after: Int, fault: Fault)] = []
    private var isDead = false
    private var writes = 0
    /// How much the disk takes; nil for no end.
    private var space: Int?

    package init(_ bytes: [UInt8] = []) { file = SimulatedFile(bytes) }

    /// The file's bytes as they are.
    package var bytes: [UInt8] { lock.withLock { file.bytes } }

    /// How many write calls there were.
    package var writeCount: Int { lock.withLock { writes } }

    /// Whether a `kill` has happened.
    package var isKilled: Bool { lock.withLock { isDead } }

    /// Lets the operation after the next `count` fail.
    package func schedule(_ fault: Fault, after count: Int) {
        lock.withLock { faults.append((count, fault)) }
    }

    /// Ends all failing, and gives the dead process a successor.
    package func recover() {
        lock.withLock {
            faults = []
            isDead = false
            space = nil
        }
    }

    /// Runs `body` with what was scheduled put off.
    package func withoutFaults<Result>(_ body: () -> Result) -> Result {
        let (faults, space) = lock.withLock {
            defer { (self.faults, self.space) = ([], nil) }
            return (self.faults, self.space)
        }
        defer { lock.withLock { (self.faults, self.space) = (faults, space) } }
        return body()
    }

    /// Limits the file to `count` bytes: beyond, the disk is full.
    package func limit(to count: Int?) { lock.withLock { space = count } }

    /// Loses what a power cut may lose.
    package func cutPower(_ choose: (Int) -> Int) {
        lock.withLock {
            file.cutPower(choose)
            faults = []
            isDead = false
        }
    }

    /// Overwrites bytes behind the back of whoever uses the storage.
    package func replace(_ bytes: [UInt8]) { lock.withLock { file = SimulatedFile(bytes) } }

    private func next(_ operation: StorageError.Operation) throws(StorageError) -> Fault? {
        if isDead { throw StorageError(operation, code: EIO) }
        if faults.isEmpty { return nil }
        var due: Fault?
        for position in faults.indices {
            faults[position].after -= 1
            if faults[position].after < 0, due == nil { due = faults[position].fault }
        }
        faults.removeAll { $0.after < 0 }
        if case .error(let code) = due { throw StorageError(operation, code: code) }
        return due
    }

    private func locked<Result>(_ body: () throws(StorageError) -> Result) throws(StorageError) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }

    package func byteCount() throws(StorageError) -> Int { try locked { () throws(StorageError) in file.bytes.count } }

    package func allocatedByteCount() throws(StorageError) -> Int {
        try locked { () throws(StorageError) in (file.bytes.count + 4095) / 4096 * 4096 }
    }

    package func read(at offset: Int, into bytes: UnsafeMutableRawBufferPointer) throws(StorageError) -> Int {
        try locked { () throws(StorageError) in
            var limit = bytes.count
            switch try next(.read) {
            case .short(let count): limit = min(limit, count)
            case .kill:
                isDead = true
                throw StorageError(.read, code: EIO)
            default: break
            }
            let available = max(0, min(limit, file.bytes.count - offset))
            file.bytes.withUnsafeBytes { stored in
                bytes.copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: stored[min(offset, stored.count)...].prefix(available)))
            }
            return available
        }
    }

    package func write(
        at offset: Int, _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer
    ) throws(StorageError) {
        try locked { () throws(StorageError) in
            writes += 1
            let count = first.count + second.count
            switch try next(.write) {
            case .short(let limit):
                file.write(at: offset, first, second, limit: limit)
                throw StorageError(.write, code: ENOSPC)
            case .kill(let limit):
                file.write(at: offset, first, second, limit: limit)
                isDead = true
                throw StorageError(.write, code: EIO)
            default: break
            }
            if let space, offset + count > space {
                file.write(at: offset, first, second, limit: max(0, space - offset))
                throw StorageError(.write, code: ENOSPC)
            }
            file.write(at: offset, first, second)
        }
    }

    package func reserve(_ byteCount: Int) throws(StorageError) {
        try locked { () throws(StorageError) in
            try failOrDie(.reserve)
            if let space, byteCount > space { throw StorageError(.reserve, code: ENOSPC) }
            if file.bytes.count < byteCount { file.resize(to: byteCount) }
        }
    }

    package func resize(to byteCount: Int) throws(StorageError) {
        try locked { () throws(StorageError) in
            try failOrDie(.resize)
            file.resize(to: byteCount)
        }
    }

    package func synchronize() throws(StorageError) {
        try locked { () throws(StorageError) in
            try failOrDie(.synchronize)
            file.synchronize()
        }
    }

    /// For operations that have no first bytes: a fault is a failure.
    private func failOrDie(_ operation: StorageError.Operation) throws(StorageError) {
        switch try next(operation) {
        case nil: return
        case .kill: isDead = true
        default: break
        }
        throw StorageError(operation, code: EIO)
    }
}
