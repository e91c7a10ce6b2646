// Invariant of the pointers: the vectors of `pwritev` point into two regions that the caller lends for the call, and
// `done` is at most the sum of their lengths.

import CSupport
import Platform
import Synchronization

/// The real storage: a file, written by positioned calls, and read by them or from a mapping.
///
/// Not written through the mapping, which is faster only while pages are dirty. Once the kernel has written a page
/// back, the next store into it faults: 4 KiB then take 2.2 µs, and `pwritev` 1.2 (ext4, Linux 6.18).
///
/// Readers may hold it while the tier is closed or replaced. The file is closed when the last of them lets go, so no
/// read meets another file under the same number.
package final class FileStorage: DiskStorage {
    private let descriptor: Int32
    private let mapping = FileMapping()

    /// Takes over an open descriptor.
    init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { _ = Platform.close(descriptor) }

    /// Why the file system can't map the file, as an error number; 0 if it can.
    func mappingProblem() -> Int32 { Platform.mappingProblem(descriptor) }

    /// Whether the file still is in the directory.
    func isInPlace(in directory: String) -> Bool { leads(directory + "/cache.log", to: descriptor) }

    /// Gives the file's bytes back if nobody can open it anymore.
    func emptyIfRemoved() {
        guard let status = try? status(), status.st_nlink == 0 else { return }
        try? resize(to: 0)
    }

    package func byteCount() throws(StorageError) -> Int { Int(try status().st_size) }

    /// `st_blocks` counts blocks of 512 bytes, whatever the file system's block is.
    package func allocatedByteCount() throws(StorageError) -> Int { Int(try status().st_blocks) * 512 }

    private func status() throws(StorageError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw StorageError(.status, code: errno) }
        return status
    }

    package func read(at offset: Int, into bytes: UnsafeMutableRawBufferPointer) throws(StorageError) -> Int {
        var done = 0
        while done < bytes.count {
            let count = pread(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset + done))
            if count > 0 {
                done += count
            } else if count == 0 {
                break
            } else if errno != EINTR {
                throw StorageError(.read, code: errno)
            }
        }
        return done
    }

    package func readFromMemory(at offset: Int, into bytes: UnsafeMutableRawBufferPointer) throws(StorageError) -> Int {
        if mapping.copy(from: offset, into: bytes) { return bytes.count }
        mapping.extend(over: offset + bytes.count, of: descriptor)
        return try read(at: offset, into: bytes)
    }

    package func write(
        at offset: Int, _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer
    ) throws(StorageError) {
        let code = withoutFileSizeSignal { writeAll(at: offset, first, second) }
        guard code == 0 else { throw StorageError(.write, code: code) }
    }

    /// - Returns: 0, or the system's error number.
    private func writeAll(at offset: Int, _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int32 {
        let wanted = first.count + second.count
        var done = 0
        while done < wanted {
            let count =
                if second.isEmpty {
                    pwrite(descriptor, first.baseAddress.map { $0 + done }, wanted - done, off_t(offset + done))
                } else {
                    withRemainder(of: first, second, after: done) {
                        pwritev(descriptor, $0, 2, off_t(offset + done))
                    }
                }
            if count > 0 {
                done += count
            } else if count == 0 {
                return EIO
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }

    package func reserve(_ byteCount: Int) throws(StorageError) {
        let length = try self.byteCount()
        guard length < byteCount else { return }
        let code = withoutFileSizeSignal {
            let code = reserveFileSpace(descriptor, from: length, to: byteCount)
            return code == 0 ? layOutCachedPages(descriptor, from: length, to: byteCount) : code
        }
        guard code == 0 else { throw StorageError(.reserve, code: code) }
    }

    package func resize(to byteCount: Int) throws(StorageError) {
        let code = withoutFileSizeSignal {
            while ftruncate(descriptor, off_t(byteCount)) != 0 {
                if errno != EINTR { return errno }
            }
            return 0
        }
        guard code == 0 else { throw StorageError(.resize, code: code) }
    }

    package var boot: UInt64 { bootIdentity() }

    package func synchronize() throws(StorageError) {
        let code = synchronizeFileData(descriptor)
        guard code == 0 else { throw StorageError(.synchronize, code: code) }
    }
}

/// The two regions less their first `done` bytes, as the vector that `pwritev` takes.
@inline(__always)
private func withRemainder(
    of first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer, after done: Int,
    _ body: (UnsafePointer<iovec>) -> Int
) -> Int {
    let fromFirst = min(done, first.count)
    let fromSecond = done - fromFirst
    let parts = (
        iovec(
            iov_base: UnsafeMutableRawPointer(mutating: first.baseAddress.map { $0 + fromFirst }),
            iov_len: first.count - fromFirst),
        iovec(
            iov_base: UnsafeMutableRawPointer(mutating: second.baseAddress.map { $0 + fromSecond }),
            iov_len: second.count - fromSecond)
    )
    return withUnsafeBytes(of: parts) { bytes in
        guard let start = bytes.baseAddress else { return 0 }
        return body(start.assumingMemoryBound(to: iovec.self))
    }
}

/// A mapping of the file, from which records are copied without a system call.
///
/// The mapping may be longer than the file, and another program may truncate the file at any time: copying bytes that
/// aren't there fails (`cs_copy_guarded`), and the caller reads the file by a call, which says why. A mapping that has
/// become too short stays beside the longer one until the end, since other threads may be copying from it; each is
/// twice as long as the one before.
///
/// Bytes that the system no longer keeps in memory aren't copied, since a page fault reads 128 KiB around each page,
/// and a call the record alone. Asking whether they're in memory costs as much as three hits, so it's done before one
/// copy in 8,192, and for the next 64 after each answer of no.
///
/// A forked child doesn't inherit the mapping, and must not copy.
///
/// `@unchecked Sendable`: `all` is used under `lock`, and in `deinit`, when no other thread can hold `self`. The region
/// behind `longest` is written before it is published, never changes, and is freed only in `deinit`. The rest is
/// constant or atomic.
///
/// Invariant of the pointers: each region in `all` is mapped for `byteCount` bytes from `start` on, until `deinit`.
final class FileMapping: @unchecked Sendable {
    private struct Region {
        let start: UnsafeMutableRawPointer
        let byteCount: Int
    }

    private let longest = Atomic<UnsafeMutablePointer<Region>?>(nil)
    /// Whether the system refused to map the file; it isn't asked again.
    private let isRefused = Atomic<Bool>(false)
    /// If positive, how many of the next copies are checked; otherwise minus the number of copies since a check.
    private let caution = Atomic<Int>(FileMapping.checksAfterAbsence)
    private let lock = Lock()
    private var all: [UnsafeMutablePointer<Region>] = []
    private let forkGeneration = currentForkGeneration()

    private static let leastByteCount = 1 << 20
    private static let checksAfterAbsence = 64
    private static let copiesBetweenChecks = 8192

    deinit {
        // A forked child may have something else at the addresses of its parent's mapping.
        let isInherited = currentForkGeneration() != forkGeneration
        for region in all {
            if !isInherited { munmap(region.pointee.start, region.pointee.byteCount) }
            region.deallocate()
        }
    }

    /// Fills the region with the file's bytes from `offset` on.
    ///
    /// - Returns: `false` if they are not mapped, not in memory, or not in the file.
    @inline(__always)
    func copy(from offset: Int, into bytes: UnsafeMutableRawBufferPointer) -> Bool {
        guard let region = longest.load(ordering: .acquiring), let target = bytes.baseAddress, offset >= 0,
            bytes.count <= region.pointee.byteCount, offset <= region.pointee.byteCount - bytes.count
        else { return false }
        let source = region.pointee.start + offset
        let caution = caution.load(ordering: .relaxed)
        if caution > 0 || caution < -Self.copiesBetweenChecks {
            guard isInMemory(source, bytes.count, caution) else { return false }
        } else {
            // Threads may overwrite each other's count; that only delays the check.
            self.caution.store(caution - 1, ordering: .relaxed)
        }
        return cs_copy_guarded(target, source, bytes.count)
    }

    @inline(never)
    private func isInMemory(_ source: UnsafeMutableRawPointer, _ count: Int, _ caution: Int) -> Bool {
        let isThere = isResident(source, byteCount: count)
        self.caution.store(isThere ? max(caution - 1, 0) : Self.checksAfterAbsence, ordering: .relaxed)
        return isThere
    }

    /// Maps at least the file's first `byteCount` bytes, unless they are mapped already or can't be.
    func extend(over byteCount: Int, of descriptor: Int32) {
        guard !isRefused.load(ordering: .relaxed), byteCount <= 1 << 40 else { return }
        if let region = longest.load(ordering: .acquiring), region.pointee.byteCount >= byteCount { return }
        lock.withLock {
            var wanted = max(longest.load(ordering: .relaxed)?.pointee.byteCount ?? 0, Self.leastByteCount)
            if !all.isEmpty, wanted >= byteCount { return }
            while wanted < byteCount { wanted *= 2 }
            guard cs_guard_copies(), let start = mapForReading(descriptor, byteCount: wanted) else {
                return isRefused.store(true, ordering: .relaxed)
            }
            let region = UnsafeMutablePointer<Region>.allocate(capacity: 1)
            region.initialize(to: Region(start: start, byteCount: wanted))
            all.append(region)
            longest.store(region, ordering: .releasing)
        }
    }
}
