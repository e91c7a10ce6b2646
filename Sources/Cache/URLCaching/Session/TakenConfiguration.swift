import Platform

/// What a session takes over of a `URLSessionConfiguration`.
struct TakenConfiguration {
    var configuration = CachingSession.Configuration()
    let cache: ResponseCache?
    let problems: [SettingProblem]

    init(_ settings: URLSessionConfiguration) {
        configuration.urlSession = CachingSession.URLSessionSettings(settings)
        configuration.requestCachePolicy = settings.requestCachePolicy
        var problems = SettingProblem.all(of: settings)
        switch settings.urlCache {
        case nil: cache = nil
        case let forwarding as ForwardingURLCache: cache = forwarding.responses
        case let other?:
            if type(of: other) != URLCache.self, !"\(type(of: other))".hasPrefix("NS") {
                problems.append(
                    SettingProblem(
                        setting: "urlCache", reason: "the overrides of \(type(of: other)) are not called",
                        remedy: "subclass ResponseCache, and pass ForwardingURLCache(yourCache)"))
            }
            let made = StandingCaches.cache(for: other)
            if let problem = made.diskProblem {
                problems.append(
                    SettingProblem(
                        setting: "urlCache.diskCapacity", reason: "\(problem)",
                        remedy: "pass ForwardingURLCache(ResponseCache(...)) with a directory of its own"))
            }
            cache = made
        }
        self.problems = problems
    }
}

/// The caches that stand for a URLCache, one for each, for as long as that exists.
enum StandingCaches {
    private struct Entry {
        weak var urlCache: URLCache?
        let cache: ResponseCache
    }

    private static let caches = Locked<[ObjectIdentifier: Entry]>([:])
    /// The capacities of the `URLCache.shared` that nobody has changed, on Linux and on Apple systems, bytes.
    private static let untouched = [(4 << 20, 20 << 20), (512_000, 10_000_000)]

    static func cache(for urlCache: URLCache) -> ResponseCache {
        let (memory, disk) = (urlCache.memoryCapacity, urlCache.diskCapacity)
        if urlCache === URLCache.shared, untouched.contains(where: { $0 == (memory, disk) }) {
            return .shared
        }
        return caches.withLock { caches in
            caches = caches.filter { $0.value.urlCache != nil }
            if let known = caches[ObjectIdentifier(urlCache)] { return known.cache }
            // URLCache does not tell its directory.
            let cache = ResponseCache(
                memoryCapacity: memory, diskCapacity: disk, diskPath: CacheDirectory.default + "-URLCache")
            caches[ObjectIdentifier(urlCache)] = Entry(urlCache: urlCache, cache: cache)
            return cache
        }
    }
}
