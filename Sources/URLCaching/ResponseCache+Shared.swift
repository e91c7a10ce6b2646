import Platform

extension ResponseCache {
    /// The cache that everybody gets who brings none. Made with the default capacities on first use; replaceable at any
    /// time, best at start-up, from any thread.
    public static var shared: ResponseCache {
        get { sharedCache.value }
        set { sharedCache.value = newValue }
    }

    private static let sharedCache = SharedCache()
}

/// `@unchecked Sendable`: the cache is read and written under the lock alone.
private final class SharedCache: @unchecked Sendable {
    private let lock = Lock()
    private var cache: ResponseCache?

    var value: ResponseCache {
        get {
            lock.withLock {
                if let cache { return cache }
                let made = ResponseCache()
                cache = made
                return made
            }
        }
        set { lock.withLock { cache = newValue } }
    }
}
