import CacheTiers
import Platform

/// Storage in memory that fails when it is told to.
///
/// `@unchecked Sendable`: its users are trials and tests, each on one thread. A lock would take a twentieth of a
/// fuzzer's time.
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

    private var file: SimulatedFile
    private var faults: [(after: Int, fault: Fault)] = []
    /// Whether a `kill` has happened.
    package private(set) var isKilled = false
    /// How many read calls there were.
    package private(set) var readCount = 0
    /// How many write calls there were.
    package private(set) var writeCount = 0
    /// How many times the file was synchronised.
    package private(set) var synchronisationCount = 0
    /// How many operations failed.
    private(set) var failureCount = 0
    /// How much the disk takes; nil for no end.
    private var space: Int?

    package init(_ bytes: [UInt8] = []) { file = SimulatedFile(bytes) }

    /// The file's bytes as they are.
    package var bytes: [UInt8] { Array(file.bytes.all) }

    /// Lets the operation after the next `count` fail.
    package func schedule(_ fault: Fault, after count: Int) { faults.append((count, fault)) }

    /// Ends all failing, and gives the dead process a successor.
    package func recover() {
        faults = []
        isKilled = false
        space = nil
    }

    /// Runs `body` with the scheduled faults put off.
    package func withoutFaults<Result>(_ body: () -> Result) -> Result {
        let (faults, space) = (faults, space)
        (self.faults, self.space) = ([], nil)
        defer { (self.faults, self.space) = (faults, space) }
        return body()
    }

    /// Limits the file to `count` bytes: beyond, the disk is full.
    package func limit(to count: Int?) { space = count }

    /// Counts power cuts, from 1 on.
    package private(set) var boot: UInt64 = 1

    /// Loses what a power cut may lose.
    package func cutPower(_ choose: (Int) -> Int) {
        boot += 1
        file.cutPower(choose)
        faults = []
        isKilled = false
    }

    /// Overwrites all bytes, as another program would.
    package func replace(_ bytes: [UInt8]) { file = SimulatedFile(bytes) }

    private func next(_ operation: StorageError.Operation) throws(StorageError) -> Fault? {
        if isKilled { throw failure(operation, EIO) }
        if faults.isEmpty { return nil }
        var due: Fault?
        for position in faults.indices {
            faults[position].after -= 1
            if faults[position].after < 0, due == nil { due = faults[position].fault }
        }
        faults.removeAll { $0.after < 0 }
        if case .error(let code) = due { throw failure(operation, code) }
        return due
    }

    private func failure(_ operation: StorageError.Operation, _ code: Int32) -> StorageError {
        failureCount += 1
        return StorageError(operation, code: code)
    }

    package func byteCount() throws(StorageError) -> Int { file.bytes.count }

    package func allocatedByteCount() throws(StorageError) -> Int { (file.bytes.count + 4095) / 4096 * 4096 }

    package func read(at offset: Int, into bytes: UnsafeMutableRawBufferPointer) throws(StorageError) -> Int {
        readCount += 1
        var limit = bytes.count
        switch try next(.read) {
        case .short(let count): limit = min(limit, count)
        case .kill:
            isKilled = true
            throw failure(.read, EIO)
        default: break
        }
        let stored = file.bytes.all
        let start = min(offset, stored.count)
        let end = start + min(limit, stored.count - start)
        bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: stored[start..<end]))
        return end - start
    }

    package func write(
        at offset: Int, _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer
    ) throws(StorageError) {
        writeCount += 1
        let count = first.count + second.count
        switch try next(.write) {
        case .short(let limit):
            file.write(at: offset, first, second, limit: limit)
            throw failure(.write, ENOSPC)
        case .kill(let limit):
            file.write(at: offset, first, second, limit: limit)
            isKilled = true
            throw failure(.write, EIO)
        default: break
        }
        if let space, offset + count > space {
            file.write(at: offset, first, second, limit: max(0, space - offset))
            throw failure(.write, ENOSPC)
        }
        file.write(at: offset, first, second)
    }

    package func reserve(_ byteCount: Int) throws(StorageError) {
        try failOrDie(.reserve)
        if let space, byteCount > space { throw failure(.reserve, ENOSPC) }
        if file.bytes.count < byteCount { file.resize(to: byteCount) }
    }

    package func resize(to byteCount: Int) throws(StorageError) {
        try failOrDie(.resize)
        file.resize(to: byteCount)
    }

    package func synchronize() throws(StorageError) {
        do throws(StorageError) {
            try failOrDie(.synchronize)
        } catch {
            // The system reports a failed write-back once, and takes the pages for clean afterwards.
            if !isKilled { loseWrites() }
            throw error
        }
        synchronisationCount += 1
        file.synchronize()
    }

    private func loseWrites() {
        var state = UInt64(failureCount)
        file.loseWrites { limit in
            state = Version.scramble(state)
            return Int(state % UInt64(limit + 1))
        }
    }

    /// Lets the disk have got all that synchronisations lost: a process that dies before it can give the log up leaves
    /// what its successor cannot know.
    package func forgiveLostWrites() { file.forgiveLostWrites() }

    /// Loses the length of the file, after a power cut.
    package func loseLength(_ choose: (Int) -> Int) { file.loseLength(choose) }

    /// For operations that have no first bytes: a fault is a failure.
    private func failOrDie(_ operation: StorageError.Operation) throws(StorageError) {
        switch try next(operation) {
        case nil: return
        case .kill: isKilled = true
        default: break
        }
        throw failure(operation, EIO)
    }
}
