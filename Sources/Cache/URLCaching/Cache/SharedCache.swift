import Platform

/// Where `ResponseCache.shared` is.
///
/// `@unchecked Sendable`: the cache is read and written under the lock alone.
final class SharedCache: @unchecked Sendable {
    static let instance = SharedCache()

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
