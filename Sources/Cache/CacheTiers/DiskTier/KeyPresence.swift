import Platform
import Synchronization

/// Tells of most keys that are not in the index that they are not, without the log's lock.
///
/// Keys fall into groups, and each group counts its keys: a count of 0 means that the group has no key. One thread at a time
/// writes, any number read at the same time. A reader that knows of a key's insertion, because it made it or was told by
/// the thread that did, sees its count: the count was written before. With the groups of a full log of 4 KiB entries, about
/// three for each key, three of four misses find no key in their group.
///
/// `@unchecked Sendable`: the address and the number of groups are constant, and the counts are atomic.
///
/// Invariant of the pointer: `bytes` has a byte for every two groups, a power of two of them; freed in `deinit` alone.
final class KeyPresence: @unchecked Sendable {
    private let bytes: UnsafeMutablePointer<Atomic<UInt8>>
    private let groupCount: Int

    /// No keys.
    ///
    /// - Parameter capacity: of the log, bytes: there is a byte, two groups, for every 4 KiB or a little less; at least 32
    ///   and at most 16 Mi.
    init(forCapacity capacity: Int) {
        var byteCount = 32
        while byteCount < capacity >> 12, byteCount < 1 << 24 { byteCount *= 2 }
        groupCount = byteCount * 2
        guard let zeros = calloc(byteCount, 1) else {
            preconditionFailure("no memory for \(byteCount) bytes of the disk tier's index; lower the disk capacity")
        }
        bytes = zeros.bindMemory(to: Atomic<UInt8>.self, capacity: byteCount)
    }

    deinit { free(bytes) }

    /// Bytes of memory in use.
    var byteCount: Int { groupCount / 2 }

    /// Whether no key of this fingerprint is in the index.
    @inline(__always)
    func lacks(_ fingerprint: Fingerprint) -> Bool {
        let (byte, shift) = place(of: fingerprint)
        return byte.pointee.load(ordering: .relaxed) &>> shift & 15 == 0
    }

    /// Counts a key that is put in. Writer only.
    @inline(__always)
    func add(_ fingerprint: Fingerprint) { change(fingerprint, by: 1) }

    /// Uncounts a key that is taken out. Writer only.
    @inline(__always)
    func remove(_ fingerprint: Fingerprint) { change(fingerprint, by: -1) }

    /// Takes all keys out. Writer only.
    func removeAll() {
        // Eight bytes at a time: their number is a multiple of eight.
        UnsafeMutableRawPointer(bytes).withMemoryRebound(to: Atomic<UInt64>.self, capacity: byteCount / 8) { words in
            for index in 0..<byteCount / 8 where words[index].load(ordering: .relaxed) != 0 {
                words[index].store(0, ordering: .relaxed)
            }
        }
    }

    /// By the low bits of the fingerprint, since the index goes by the high ones.
    @inline(__always)
    private func place(of fingerprint: Fingerprint) -> (byte: UnsafeMutablePointer<Atomic<UInt8>>, shift: UInt8) {
        let group = Int(truncatingIfNeeded: fingerprint.bits) & (groupCount - 1)
        return (bytes + (group >> 1), UInt8(truncatingIfNeeded: group & 1) << 2)
    }

    /// A count of 15 may stand for more keys, so it stays.
    @inline(__always)
    private func change(_ fingerprint: Fingerprint, by step: Int8) {
        let (byte, shift) = place(of: fingerprint)
        let counts = byte.pointee.load(ordering: .relaxed)
        guard counts &>> shift & 15 < 15 else { return }
        byte.pointee.store(counts &+ UInt8(bitPattern: step) &<< shift, ordering: .relaxed)
    }
}
