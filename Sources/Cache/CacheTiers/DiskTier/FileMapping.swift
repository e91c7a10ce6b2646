import CSupport
import Platform
import Synchronization

/// A file's bytes in the address space, from which records are copied without a system call.
///
/// A mapping may be longer than its file, and another program may truncate the file at any time: copying bytes that do not
/// exist fails (`cs_copy_guarded`), and the caller reads the file by a call, which says why. A mapping that has become too
/// short for the file is kept beside the longer one until the end, since other threads may be copying from it; each is
/// twice as long as the one before.
///
/// Bytes that the system no longer keeps in memory are not copied either: a page fault would read 128 KiB around each page,
/// where a call reads the record alone. Asking whether they are in memory costs as much as three hits. So the question
/// precedes one copy in 8,192, and after each answer of no the next 64.
///
/// A forked child does not inherit mappings, and must not copy.
///
/// `@unchecked Sendable`: `all` is used under `lock`, and in `deinit`, when no other thread can hold `self`. The region
/// behind `longest` is written before it is published, never changes and is freed in `deinit` alone. The rest is constant
/// or atomic.
///
/// Invariant of the pointers: each region in `all` is mapped for `byteCount` bytes from `start` on, until `deinit`.
final class FileMapping: @unchecked Sendable {
    private struct Region {
        let start: UnsafeMutableRawPointer
        let byteCount: Int
    }

    private let longest = Atomic<UnsafeMutablePointer<Region>?>(nil)
    /// Whether the system refused to map the file; it is not asked again.
    private let isRefused = Atomic<Bool>(false)
    /// While positive, how many of the next copies are checked; otherwise the negative number of copies since a check.
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
            // Threads may overwrite each other's count, which delays the check.
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

    /// Maps the file's first `byteCount` bytes, and some more, unless they are mapped already or cannot be.
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
