import Platform

/// The place of `ResponseCache.shared`.
final class SharedCache: ForkObserver {
    static let instance = SharedCache()

    private let cache = ForkSafe<ResponseCache?>(nil)
    /// Held while the first cache is made, which opens files. A fork does not wait for that, and the child makes its own.
    private let making = Lock()

    private init() { ForkObservers.add(self) }

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
            // The old cache is released without the lock.
            _ = cache.withLock { cache in
                defer { cache = newValue }
                return cache
            }
        }
    }

    func prepareToFork() {}

    func resumeInParent() {}

    func resumeInChild() { making.resetInChild() }
}
