import CacheTiers
import Platform

extension ResponseCache {
    /// The same as `init(memoryCapacity:diskCapacity:diskPath:)`, with the directory as a URL.
    public convenience init(memoryCapacity: Int, diskCapacity: Int, directory: URL? = nil) {
        self.init(memoryCapacity: memoryCapacity, diskCapacity: diskCapacity, diskPath: directory?.path)
    }

    /// Why the disk tier is missing or has another capacity than requested; `nil` if it is as requested. The cache then
    /// works from memory only, or with its earlier capacity. It also reports that the directory was removed under the
    /// cache. Responses are then stored as before, but are lost with the process, until `removeAllCachedResponses` or a
    /// new `diskCapacity` recreates the directory.
    public var diskProblem: DiskTierError? { problems.disk ?? store.tiers.disk?.problem }

    /// Why the memory tier is disabled: the requested capacity was negative. `nil` otherwise.
    public var memoryProblem: CapacityError? { problems.memory }

    /// Whether each removal overwrites the removed responses on disk (URL, fields and body) with zeros before it
    /// returns. `false` by default: a removed response is not found any more, but its bytes stay in the file until
    /// others are written over them.
    ///
    /// A removal then takes some milliseconds. Replaced and evicted responses are overwritten with the next removal. A
    /// file system or drive that writes elsewhere keeps old blocks; encryption at rest is the file system's task.
    public var erasesRemovedResponses: Bool {
        get { store.tiers.erasesRemoved }
        set { store.tiers.erasesRemoved = newValue }
    }

    /// Writes to disk what still waits in memory, so not even a crash of the system loses it.
    ///
    /// Entries are written on their own within 20 ms, and survive a crash of the process from then on. Takes as long as
    /// the file system needs for `fsync`.
    ///
    /// - Throws: `DiskTierError` if the file cannot be written. Does nothing without a disk tier.
    public func flush() throws(DiskTierError) { try store.tiers.disk?.flush() }

    /// Overwrites what is left of removed, replaced and evicted responses on disk with zeros, once.
    ///
    /// - Throws: `DiskTierError` if the file cannot be read or written.
    public func eraseRemovedResponses() throws(DiskTierError) { try store.tiers.disk?.erase() }

    /// Sets `memoryCapacity`.
    ///
    /// - Throws: if it is negative; the capacity stays as it was.
    public func setMemoryCapacity(_ capacity: Int) throws(CapacityError) {
        try store.tiers.memory.setCapacity(capacity)
        decoded.settleAll()
        problems.memory = nil
    }

    /// Sets `diskCapacity`.
    ///
    /// - Throws: if it is negative, or the directory cannot be used or is another cache's; the capacity stays as it
    ///   was.
    public func setDiskCapacity(_ capacity: Int) throws(DiskTierError) {
        if capacity != 0 || store.tiers.disk != nil {
            try store.tiers.openDisk(directory: CacheDirectory.path(diskPath), capacity: capacity)
        }
        problems.disk = nil
    }

    func removeAll() {
        let disk = store.tiers.disk
        guard (try? store.removeAll()) != nil, store.tiers.disk !== disk else { return }
        // The directory was made again.
        if case .capacity = problems.disk { return }
        problems.disk = nil
    }

    func changeMemoryCapacity(_ capacity: Int) {
        do {
            try setMemoryCapacity(capacity)
        } catch {
            try? store.tiers.memory.setCapacity(0)
            decoded.settleAll()
            problems.memory = error
        }
    }

    func changeDiskCapacity(_ capacity: Int) {
        do {
            try setDiskCapacity(capacity)
        } catch {
            if case .capacity = error { try? store.tiers.disk?.setCapacity(0) }
            problems.disk = error
        }
    }
}

final class CacheProblems: Sendable {
    private let problems: ForkSafe<(memory: CapacityError?, disk: DiskTierError?)>

    init(memory: CapacityError?, disk: DiskTierError?) { problems = ForkSafe((memory, disk)) }

    var memory: CapacityError? {
        get { problems.withLock { $0.memory } }
        set { problems.withLock { $0.memory = newValue } }
    }

    var disk: DiskTierError? {
        get { problems.withLock { $0.disk } }
        set { problems.withLock { $0.disk = newValue } }
    }
}

/// A cache's two tiers, as far as they could be opened.
struct OpenedTiers {
    let tiers: TwoTierCache
    let problems: CacheProblems

    /// - Parameters:
    ///   - memoryCapacity: bytes; a negative value is a problem, and counts as 0.
    ///   - diskCapacity: bytes; 0 opens no disk tier and creates no directory; a negative value is a problem.
    ///   - truncates: whether a file that an earlier process left longer is truncated at once; if not, before the first
    ///     change.
    init(
        memoryCapacity: Int, diskCapacity: Int, directory: @autoclosure () -> String, policy: EvictionPolicy,
        truncates: Bool = true
    ) {
        var disk: DiskTier?
        var problem: DiskTierError?
        if diskCapacity != 0 {
            do throws(DiskTierError) {
                disk = try DiskTier(
                    directory: directory(), capacity: diskCapacity, policy: policy, truncates: truncates)
            } catch {
                problem = error
            }
        }
        // The disk's entries were hashed with the disk tier's seed, so both tiers use that one.
        let seed = disk?.hashSeed ?? .random()
        tiers = TwoTierCache(
            memory: MemoryTier(clamping: memoryCapacity, policy: policy), disk: disk, hasher: KeyHasher(seed: seed))
        problems = CacheProblems(
            memory: memoryCapacity < 0 ? CapacityError(tier: "memory", capacity: memoryCapacity) : nil, disk: problem)
    }
}

enum CacheDirectory {
    /// `ResponseCache` in the process's folder.
    static var `default`: String { path(nil) }

    /// The directory of a `diskPath`. A path that does not begin at the root is one in the process's folder, wherever
    /// the process was started; without a path it is the default.
    ///
    /// - Parameter environment: the process's environment, or a test's.
    static func path(
        _ diskPath: String?, environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String {
        if let diskPath, diskPath.hasPrefix("/") { return diskPath }
        let name = diskPath.flatMap { $0.isEmpty ? nil : $0 } ?? "ResponseCache"
        return "\(caches(environment))/\(ProcessInfo.processInfo.processName)/\(name)"
    }

    /// The user's folder for caches: `~/Library/Caches` on Apple systems, elsewhere `$XDG_CACHE_HOME` if that is an
    /// absolute path, or `~/.cache` (XDG Base Directory Specification).
    private static func caches(_ environment: [String: String]) -> String {
        #if canImport(Darwin)
        return FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first?.path
            ?? NSTemporaryDirectory()
        #else
        if let caches = environment["XDG_CACHE_HOME"], caches.hasPrefix("/") { return caches }
        // NSHomeDirectory asks the user database if HOME is not set.
        return (environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory()) + "/.cache"
        #endif
    }
}
