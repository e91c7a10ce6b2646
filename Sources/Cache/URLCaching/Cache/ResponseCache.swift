import CacheTiers
import HTTPCache
import HTTPSemantics
import Platform

/// `URLCache`'s interface over two tiers that keep its promises on every platform: LRU in memory and on disk, the whole
/// URL in the key, capacities that are never exceeded, entries that survive the process.
///
/// To move code from `URLCache`, change the type's name. Only GET responses of http and https URLs are stored; a HEAD
/// request may be answered from one. Like `URLCache`, it hands out stored responses whether they are fresh or not; the
/// code that loads judges freshness.
///
/// Open for subclassing: code that loads through a cache calls `cachedResponse(for:)` and
/// `storeCachedResponse(_:for:)`, and so do the variants for tasks. An override costs other code nothing.
///
/// `@unchecked Sendable`: the compiler cannot check an open class, because subclasses may add anything. The properties
/// here are `let`s of Sendable types, and a subclass must guard its own.
open class ResponseCache: @unchecked Sendable {
    /// The responses, without Foundation's types.
    package let store: ResponseStore

    let now: @Sendable () -> Date
    let diskPath: String?
    let problems: CacheProblems
    /// The memory taken by decoded entries.
    let decoded: DecodedMemory
    let refusals = NotStoredCounts()
    /// Records hits and stores; `nil` records nothing, and costs nothing.
    public let recorder: RequestRecorder?

    /// A cache with these capacities, like `URLCache(memoryCapacity:diskCapacity:diskPath:)`.
    ///
    /// Never fails: a disk tier that cannot be opened is left out, a negative capacity counts as 0, and `diskProblem`
    /// and `memoryProblem` say so. `init(owning:memoryCapacity:diskCapacity:)` throws instead.
    ///
    /// - Parameters:
    ///   - memoryCapacity: bytes; 0 disables the tier.
    ///   - diskCapacity: bytes, everything on disk included; 0 disables the tier.
    ///   - diskPath: the directory of the disk tier, created if missing. A name, or any path that does not begin with
    ///     `/`, is one in the folder of the process's name in the user's folder for caches. `nil` is the default,
    ///     `ResponseCache` in that folder.
    public init(memoryCapacity: Int, diskCapacity: Int, diskPath: String?) {
        now = { Date() }
        recorder = nil
        self.diskPath = diskPath
        (store, decoded, problems) = Self.open(memoryCapacity, diskCapacity, diskPath, nil)
    }

    /// The same, with options that `URLCache`'s initialisers do not have.
    ///
    /// - Parameters:
    ///   - memoryCapacity: bytes; 0 disables the tier.
    ///   - diskCapacity: bytes, everything on disk included; 0 disables the tier.
    ///   - diskPath: the directory of the disk tier; `nil` is the default.
    ///   - keyHook: tells representations of one URL apart if the server sends no `Vary` for them; its text for a
    ///     request becomes part of the key.
    ///   - now: the clock, for tests.
    public init(
        memoryCapacity: Int, diskCapacity: Int, diskPath: String?, keyHook: KeyHook? = nil,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.now = now
        recorder = nil
        self.diskPath = diskPath
        (store, decoded, problems) = Self.open(memoryCapacity, diskCapacity, diskPath, keyHook)
    }

    /// The same, with an eviction policy.
    ///
    /// - Parameters:
    ///   - memoryCapacity: bytes; 0 disables the tier.
    ///   - diskCapacity: bytes, everything on disk included; 0 disables the tier.
    ///   - diskPath: the directory of the disk tier; `nil` is the default.
    ///   - policy: both tiers' eviction rule.
    ///   - keyHook: tells representations of one URL apart if the server sends no `Vary` for them; its text for a
    ///     request becomes part of the key.
    ///   - now: the clock, for tests.
    public init(
        memoryCapacity: Int, diskCapacity: Int, diskPath: String?, policy: EvictionPolicy, keyHook: KeyHook? = nil,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.now = now
        recorder = nil
        self.diskPath = diskPath
        (store, decoded, problems) = Self.open(memoryCapacity, diskCapacity, diskPath, keyHook, policy)
    }

    /// The same, with a recorder of requests.
    ///
    /// - Parameters:
    ///   - memoryCapacity: bytes; 0 disables the tier.
    ///   - diskCapacity: bytes, everything on disk included; 0 disables the tier.
    ///   - diskPath: the directory of the disk tier; `nil` is the default.
    ///   - recorder: records hits and stores.
    ///   - policy: both tiers' eviction rule.
    ///   - keyHook: tells representations of one URL apart if the server sends no `Vary` for them.
    ///   - now: the clock, for tests.
    public init(
        memoryCapacity: Int, diskCapacity: Int, diskPath: String?, recorder: RequestRecorder,
        policy: EvictionPolicy = .leastRecentlyUsed, keyHook: KeyHook? = nil,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.now = now
        self.recorder = recorder
        self.diskPath = diskPath
        (store, decoded, problems) = Self.open(memoryCapacity, diskCapacity, diskPath, keyHook, policy)
    }

    /// A cache with exactly the tiers requested, or an error.
    ///
    /// - Parameters:
    ///   - directory: the disk tier's directory, for this cache only; `nil` is the default.
    ///   - memoryCapacity: bytes; 0 disables the tier.
    ///   - diskCapacity: bytes, everything on disk included; 0 disables the tier.
    /// - Throws: `CapacityError` if a capacity is negative; `DiskTierError` if the directory cannot be used, or belongs
    ///   to another cache in this process or another.
    public init(owning directory: URL?, memoryCapacity: Int, diskCapacity: Int) throws {
        now = { Date() }
        recorder = nil
        diskPath = directory?.path
        (store, decoded, problems) = Self.open(memoryCapacity, diskCapacity, diskPath, nil)
        if let problem = problems.memory { throw problem }
        if let problem = problems.disk { throw problem }
    }

    /// The default cache: 4 MiB in memory, 20 MiB on disk. What a larger one stored on disk is kept until something is
    /// stored or removed, so that a `diskCapacity` set before finds it.
    public init() {
        now = { Date() }
        recorder = nil
        diskPath = nil
        // Many programs set the capacities next, and what an earlier process stored may need the larger one.
        (store, decoded, problems) = Self.open(
            Self.defaultMemoryCapacity, Self.defaultDiskCapacity, nil, nil, truncates: false)
    }

    private static func open(
        _ memoryCapacity: Int, _ diskCapacity: Int, _ diskPath: String?, _ keyHook: KeyHook?,
        _ policy: EvictionPolicy = .leastRecentlyUsed, truncates: Bool = true
    ) -> (ResponseStore, DecodedMemory, CacheProblems) {
        let opened = OpenedTiers(
            memoryCapacity: memoryCapacity, diskCapacity: diskCapacity, directory: CacheDirectory.path(diskPath),
            policy: policy, truncates: truncates)
        let store = ResponseStore(tiers: opened.tiers, keyHook: keyHook)
        return (store, DecodedMemory(beside: opened.tiers.memory), opened.problems)
    }

    deinit { decoded.end() }

    /// 4 MiB.
    public static let defaultMemoryCapacity = 4 * 1024 * 1024
    /// 20 MiB.
    public static let defaultDiskCapacity = 20 * 1024 * 1024

    /// The cache used where no other is given, created on first use with the default capacities. You can replace it at
    /// any time from any thread, best at start-up.
    open class var shared: ResponseCache {
        get { SharedCache.instance.value }
        set { SharedCache.instance.value = newValue }
    }

    // MARK: Looking up and storing

    /// The response stored for a request, fresh or not; `nil` for a miss.
    ///
    /// The body is not copied. If the caller changes what it gets, the cache and other callers are not affected.
    ///
    /// - Complexity: O(1). A hit in memory doesn't touch the disk; a hit on disk reads the whole response.
    open func cachedResponse(for request: URLRequest) -> CachedURLResponse? { find(request) }

    /// Stores a response for a request, in place of the one stored before.
    ///
    /// Does nothing if the request is not a GET, or its URL is neither http nor https. A tier that cannot or may not
    /// hold the new response still removes the old one.
    ///
    /// A response that is not one of HTTP is kept as one with status 200 and its type. What comes back has the URL that
    /// is asked for, also if `response.url` was another.
    ///
    /// Does not look for a request body: the response to a GET with one is stored under its URL, too. A session stores
    /// no such response.
    open func storeCachedResponse(_ cachedResponse: CachedURLResponse, for request: URLRequest) {
        keep(cachedResponse, request)
    }

    // If a removal cannot be written to disk, the response is still not found any more, and the tier's statistics count
    // it; URLCache's interface has no place for an error. What any session sent to an origin before a removal returned,
    // even a validation, is not stored afterwards.

    /// Removes all variants stored for a request's URL; with a key hook, under its text for the request.
    open func removeCachedResponse(for request: URLRequest) { remove(request) }

    /// Removes everything.
    ///
    /// Another thread frees the memory of more than 4,096 responses, and what the file has beyond 64 MiB.
    open func removeAllCachedResponses() { removeAll() }

    /// Removes the responses stored after `date`.
    ///
    /// - Complexity: linear in the responses in memory. On disk writes 32 bytes, and reads at most 24 MiB before it
    ///   returns; a large tier still counts removed responses until another thread has found them.
    open func removeCachedResponses(since date: Date) { try? store.removeAll(since: date.storedAt) }

    // MARK: By task, for which no session asks: a subclass overrides the variants for requests

    /// Finds the response stored for a task's request, like `cachedResponse(for:)`, and passes it to
    /// `completionHandler` on another queue.
    public func getCachedResponse(
        for dataTask: URLSessionDataTask, completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        let request = dataTask.cacheRequest
        DispatchQueue.global().async {
            completionHandler(request.flatMap { self.cachedResponse(for: $0) })
        }
    }

    /// Stores a response for a task's request, by `storeCachedResponse(_:for:)` of the request.
    public func storeCachedResponse(_ cachedResponse: CachedURLResponse, for dataTask: URLSessionDataTask) {
        if let request = dataTask.cacheRequest { storeCachedResponse(cachedResponse, for: request) }
    }

    /// Removes the responses stored for a task's request, by `removeCachedResponse(for:)` of the request.
    public func removeCachedResponse(for dataTask: URLSessionDataTask) {
        if let request = dataTask.cacheRequest { removeCachedResponse(for: request) }
    }

    // MARK: Capacity

    /// The capacity of the memory tier, bytes. Lowering it evicts entries before the setter returns. A negative value
    /// counts as 0, which disables the tier; `memoryProblem` reports it.
    open var memoryCapacity: Int {
        get { store.tiers.memory.capacity }
        set { changeMemoryCapacity(newValue) }
    }

    /// The most bytes the disk tier occupies, everything included; 0 without a disk tier. A tier stores no response
    /// longer than 5 % of it, so with the default capacities a body above 1 MiB is in neither. `notStoredCounts` says
    /// how many there were, and `CachingSession.Configuration.onNotStored` which. Lowering it truncates the tier before
    /// the setter returns, oldest responses first. Raising it from 0 opens an empty tier. Below about a fifth, and
    /// above about eight times the capacity that the file was made with, the newest 32 MiB are kept at most. A negative
    /// value counts as 0, which disables the tier. `diskProblem` reports negative values and errors.
    open var diskCapacity: Int {
        get { store.tiers.disk?.capacity ?? 0 }
        set { changeDiskCapacity(newValue) }
    }

    /// Bytes in use in memory by the rule of `StoredEntry.cost`. O(1).
    ///
    /// On top of that, responses that were looked up are kept decoded. They take what is left of the capacity, plus
    /// about a fifth of it and 4 MiB.
    open var currentMemoryUsage: Int { store.tiers.memory.usage }

    /// Bytes of the records on disk, headers included. O(1).
    open var currentDiskUsage: Int { store.tiers.disk?.currentUsage ?? 0 }
}

extension URLSessionTask {
    /// The task's current request: after a redirect, the one that follows from it.
    fileprivate var cacheRequest: URLRequest? { currentRequest ?? originalRequest }
}

extension ResponseCache {
    /// How many answers of origins the sessions on this cache did not store since it was made, by
    /// `NotStoredReason.word`.
    public var notStoredCounts: [String: Int] { refusals.counts }
}

final class NotStoredCounts: Sendable {
    private let state = ForkSafe<[String: Int]>([:])

    var counts: [String: Int] { state.withLock { $0 } }

    func note(_ reason: NotStoredReason) { state.withLock { $0[reason.word, default: 0] += 1 } }
}

final class SharedCache: Sendable {
    static let instance = SharedCache()

    private let cache = ForkSafe<ResponseCache?>(nil)
    /// Held while the first cache is made, which opens files.
    private let making = LockFreeInChild()

    var value: ResponseCache {
        get {
            if let made = cache.withLock({ $0 }) { return made }
            return making.withLock {
                if let made = cache.withLock({ $0 }) { return made }
                let new = ResponseCache()
                return cache.withLock { cache in
                    let kept = cache ?? new
                    cache = kept
                    return kept
                }
            }
        }
        set {
            // Releases the old cache after unlocking.
            _ = cache.withLock { cache in
                defer { cache = newValue }
                return cache
            }
        }
    }
}
