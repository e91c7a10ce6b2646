// Invariant of the pointers: the vectors of `pwritev` point into two regions that the caller lends for the call, and
// `done` is at most the sum of their lengths.

import Platform

/// The real storage: a file, written by positioned calls, and read by them or from a mapping.
///
/// Not written through the mapping, which is faster only while pages are dirty. Once the kernel has written a page back, the
/// next store into it faults: 4 KiB then take 2.2 µs, and `pwritev` 1.2 (ext4, Linux 6.18).
///
/// Readers of several threads may hold it while the tier is closed or replaced; the file is closed when the last lets
/// go, so that a read never meets another file under the same number.
package final class FileStorage: DiskStorage {
    private let descriptor: Int32
    private let mapping = FileMapping()

    /// Takes over an open descriptor.
    init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { _ = Platform.close(descriptor) }

    /// Why the file system cannot map the file, as an error number; 0 if it can.
    func mappingProblem() -> Int32 { Platform.mappingProblem(descriptor) }

    /// Whether the file was not removed.
    var isInPlace: Bool { hasName(descriptor) }

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
            let count = pread(
                descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset + done))
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

    package func readFromMemory(
        at offset: Int, into bytes: UnsafeMutableRawBufferPointer
    ) throws(StorageError) -> Int {
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
