import CSupport
import Platform
import Synchronization

/// A file's bytes in the address space, from which records are copied without a system call.
///
/// A mapping may be longer than its file, and somebody may cut the file short at any time: copying what is not there
/// fails (`cs_copy_guarded`), and whoever asked reads the file by a call, which says why. A mapping that has become too
/// short for the file is kept beside the longer one until the end, since others may be copying from it; each is twice as
/// long as the one before.
///
/// A forked child does not inherit mappings, and must not copy.
///
/// `@unchecked Sendable`: `all` is used under `lock`, and in `deinit`, when nobody else is left. What `longest` points at is
/// written before it is published, never changes and is freed in `deinit` alone. The rest is constant or atomic.
final class FileMapping: @unchecked Sendable {
    private struct Region {
        let start: UnsafeMutableRawPointer
        let byteCount: Int
    }

    private let longest = Atomic<UnsafeMutablePointer<Region>?>(nil)
    /// Whether the system does not let the file be mapped; it is not asked again.
    private let isRefused = Atomic<Bool>(false)
    private let lock = Lock()
    private var all: [UnsafeMutablePointer<Region>] = []
    private let forkGeneration = currentForkGeneration()

    private static let leastByteCount = 1 << 20

    deinit {
        // Where a parent's mapping was, a child may have something else.
        let isInherited = currentForkGeneration() != forkGeneration
        for region in all {
            if !isInherited { munmap(region.pointee.start, region.pointee.byteCount) }
            region.deallocate()
        }
    }

    /// Fills the region with the file's bytes from `offset` on.
    ///
    /// - Returns: `false` when they are not mapped, or not there.
    @inline(__always)
    func copy(from offset: Int, into bytes: UnsafeMutableRawBufferPointer) -> Bool {
        guard let region = longest.load(ordering: .acquiring), let target = bytes.baseAddress, offset >= 0,
            bytes.count <= region.pointee.byteCount, offset <= region.pointee.byteCount - bytes.count
        else { return false }
        return cs_copy_guarded(target, region.pointee.start + offset, bytes.count)
    }

    /// Maps the file's first `byteCount` bytes, and some more, unless they are mapped already or cannot be.
    func extend(over byteCount: Int, of descriptor: Int32) {
        guard !isRefused.load(ordering: .relaxed), byteCount <= 1 << 40 else { return }
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
