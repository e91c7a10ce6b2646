import CacheTiers
import HTTPCache
import HTTPSemantics

/// `URLCache`'s interface over two tiers that keep its promises on every platform: LRU in memory and on disk, the whole
/// URL in the key, capacities that are never exceeded, entries that survive the process.
///
/// Code written for `URLCache` moves by changing the type's name. Only GET responses of http and https URLs are stored;
/// a HEAD request may be answered from one. What is stored is handed out whether it is fresh or not, as `URLCache` does:
/// freshness is judged by whoever loads.
///
/// `@unchecked Sendable`: an open class cannot be checked, since subclasses may add anything; the properties here are
/// `let`s of Sendable types, and a subclass has to guard its own.
open class ResponseCache: @unchecked Sendable {
    /// The engine's store, for whoever wants responses without Foundation's types.
    public let store: ResponseStore

    /// Why there is no disk tier although one was asked for; `nil` when there is one, or none was wanted. The cache then
    /// works from memory alone.
    public let diskProblem: (any Error)?

    private let now: @Sendable () -> Date

    /// A cache with these capacities, as `URLCache(memoryCapacity:diskCapacity:diskPath:)`.
    ///
    /// Never fails: a disk tier that cannot be opened is left out, see `diskProblem`; a negative capacity counts as 0.
    ///
    /// - Parameters:
    ///   - memoryCapacity: bytes; 0 disables the tier.
    ///   - diskCapacity: bytes, everything on disk counted in; 0 disables the tier.
    ///   - diskPath: the directory of the disk tier, made when it is not there; `nil` is the default, the process's name
    ///     in the user's folder for caches.
    public convenience init(memoryCapacity: Int, diskCapacity: Int, diskPath: String?) {
        self.init(memoryCapacity: memoryCapacity, diskCapacity: diskCapacity, diskPath: diskPath, now: { Date() })
    }

    /// The default cache: 4 MiB in memory, 20 MiB on disk.
    public convenience init() {
        self.init(
            memoryCapacity: Self.defaultMemoryCapacity, diskCapacity: Self.defaultDiskCapacity, diskPath: nil)
    }

    /// A cache with a clock of the caller's, for tests.
    public init(
        memoryCapacity: Int, diskCapacity: Int, diskPath: String?, now: @escaping @Sendable () -> Date
    ) {
        self.now = now
        let opened = OpenedTiers(
            memoryCapacity: memoryCapacity, diskCapacity: diskCapacity, directory: diskPath ?? CacheDirectory.default)
        store = ResponseStore(tiers: opened.tiers)
        diskProblem = opened.diskProblem
    }

    /// 4 MiB.
    public static let defaultMemoryCapacity = 4 * 1024 * 1024
    /// 20 MiB.
    public static let defaultDiskCapacity = 20 * 1024 * 1024

    // MARK: Looking up and storing

    /// The response stored for a request, fresh or not; `nil` when there is none.
    ///
    /// The body is not copied: the returned `Data` holds on to the entry.
    open func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
        guard request.canBeAnsweredFromStore, let url = request.url else { return nil }
        var text = url.absoluteString
        let found = text.withUTF8 { bytes in
            store.lookup(url: UnsafeRawBufferPointer(bytes), request: HTTPRequest(request))
        }
        return found.flatMap { CachedURLResponse($0, url: url) }
    }

    /// Stores a response for a request, in place of what was stored for it.
    ///
    /// Nothing is stored, and nothing removed, when the request is no GET or its URL is not http or https. Whatever the
    /// new response does not fit into, or may not be kept in, loses the old one all the same.
    open func storeCachedResponse(_ cachedResponse: CachedURLResponse, for request: URLRequest) {
        guard request.canBeStored, let response = HTTPResponse(cachedResponse.response) else { return }
        let data = ApplicationData(cachedResponse.userInfo)
        let time = now()
        let seconds = Int64(time.timeIntervalSince1970)
        cachedResponse.data.withUnsafeBytes { body in
            _ = store.store(
                response, for: HTTPRequest(request), body: body, applicationData: data.encoded,
                policy: data.isPersistent ? StoragePolicy(cachedResponse.storagePolicy) : .allowedInMemoryOnly,
                requestTime: seconds, responseTime: seconds, storedAt: time.storedAt,
                // What bytes cannot say has to be kept as it is.
                attachment: data.isPersistent ? nil : DecodedResponse(cachedResponse))
        }
    }

    // A removal that cannot be written to disk is found no more all the same, and is counted in the tier's statistics;
    // URLCache's interface has no place for an error.

    /// Removes what is stored for a request.
    open func removeCachedResponse(for request: URLRequest) {
        _ = try? store.remove(HTTPRequest(request))
    }

    /// Removes everything.
    open func removeAllCachedResponses() {
        try? store.tiers.removeAll()
    }

    /// Removes what was stored after `date`.
    open func removeCachedResponses(since date: Date) {
        try? store.tiers.removeAll(since: date.storedAt)
    }
}

extension Date {
    /// The instant in the unit of `StoredEntry.storedAt`: microseconds since 1970, stopped at what 64 bits hold.
    var storedAt: Int64 {
        Int64(exactly: (timeIntervalSince1970 * 1_000_000).rounded()) ?? (self > Date() ? .max : .min)
    }
}
