import Platform

extension CachingSession {
    /// The settings of a `URLSessionConfiguration`, as a value: a change affects only this copy.
    ///
    ///     configuration.urlSession.timeoutIntervalForRequest = 10
    ///     configuration.urlSession = .ephemeral
    ///     configuration.urlSession = CachingSession.URLSessionSettings(existing)
    ///
    /// `@unchecked Sendable`: the object is private, was copied when it came in, and is never handed out or written
    /// afterwards. A setting is written into a copy that no other thread has yet, and a getter only reads.
    @dynamicMemberLookup
    public struct URLSessionSettings: @unchecked Sendable {
        private var settings: URLSessionConfiguration

        /// Copies a configuration's settings, so you may change or release it afterwards.
        public init(_ configuration: URLSessionConfiguration) { settings = Self.copy(configuration) }

        /// Like `URLSessionConfiguration.default`.
        public static var `default`: Self { Self(.default) }

        /// Like `URLSessionConfiguration.ephemeral`: cookies and credentials only for this session, in memory, and so
        /// its answers, unless it is given a cache.
        public static var ephemeral: Self { Self(.ephemeral) }

        /// A configuration with these settings, for a URLSession.
        public func makeConfiguration() -> URLSessionConfiguration { Self.copy(settings) }

        /// Any setting.
        public subscript<Value>(
            dynamicMember setting: ReferenceWritableKeyPath<URLSessionConfiguration, Value>
        ) -> Value {
            get { settings[keyPath: setting] }
            set {
                let changed = Self.copy(settings)
                changed[keyPath: setting] = newValue
                settings = changed
            }
        }

        /// Puts in the cache of the session that has these settings.
        mutating func setCache(_ cache: ResponseCache?) {
            let present: URLCache? = settings.urlCache
            if let present = present as? ForwardingURLCache, present.responses === cache { return }
            let changed = Self.copy(settings)
            let forwarding: URLCache? = cache.map { ForwardingURLCache($0) }
            changed.urlCache = forwarding
            settings = changed
        }

        func value<Value>(_ setting: KeyPath<URLSessionConfiguration, Value>) -> Value { settings[keyPath: setting] }

        private static func copy(_ configuration: URLSessionConfiguration) -> URLSessionConfiguration {
            configuration.copy() as? URLSessionConfiguration ?? .default
        }
    }
}

/// Settings that would have no effect, and so do not compile.
extension CachingSession.URLSessionSettings {
    /// The cache is a parameter of the session.
    @available(*, unavailable, message: "pass the cache to CachingSession(configuration:cache:)")
    public var urlCache: URLCache? {
        get { nil }
        set {}
    }

    /// The policy is part of the session's own configuration.
    @available(*, unavailable, message: "set CachingSession.Configuration.requestCachePolicy")
    public var requestCachePolicy: URLRequest.CachePolicy {
        get { .useProtocolCachePolicy }
        set {}
    }

    #if canImport(FoundationNetworking)
    /// Not known on Linux.
    @available(*, unavailable, message: "it has no effect on Linux")
    public var shouldUseExtendedBackgroundIdleMode: Bool {
        get { false }
        set {}
    }

    /// Not known on Linux.
    @available(*, unavailable, message: "it has no effect on Linux")
    public var networkServiceType: URLRequest.NetworkServiceType {
        get { .default }
        set {}
    }

    /// Not known on Linux.
    @available(*, unavailable, message: "it has no effect on Linux")
    public var allowsCellularAccess: Bool {
        get { true }
        set {}
    }

    /// Not known on Linux.
    @available(*, unavailable, message: "it has no effect on Linux")
    public var isDiscretionary: Bool {
        get { false }
        set {}
    }

    /// Requests are never pipelined.
    @available(*, unavailable, message: "it has no effect; HTTP/2 sends requests side by side")
    public var httpShouldUsePipelining: Bool {
        get { false }
        set {}
    }
    #endif
}

/// The cache that a `URLSessionConfiguration` names by its `urlCache`.
struct TakenCache {
    let cache: ResponseCache?
    let problems: [SettingProblem]

    init(_ settings: URLSessionConfiguration) {
        var problems: [SettingProblem] = []
        if let given = settings.urlCache.map({ type(of: $0) }), given != URLCache.self,
            given != ForwardingURLCache.self, !"\(given)".hasPrefix("NS")
        {
            problems.append(
                SettingProblem(
                    setting: "urlCache", reason: "the overrides of \(given) are not called",
                    remedy: "subclass ResponseCache, and pass ForwardingURLCache(yourCache)"))
        }
        switch settings.urlCache {
        case nil: cache = nil
        case let forwarding as ForwardingURLCache: cache = forwarding.responses
        case let other?:
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

/// The caches that stand for a URLCache, one for each, as long as that exists.
enum StandingCaches {
    private struct Entry {
        weak var urlCache: URLCache?
        let cache: ResponseCache
    }

    private static let caches = ForkSafe<[ObjectIdentifier: Entry]>([:])
    private static let making = LockFreeInChild()
    /// The capacities of an unchanged `URLCache.shared`, on Linux and on Apple systems, bytes.
    private static let untouched = [(4 << 20, 20 << 20), (512_000, 10_000_000)]

    static func cache(for urlCache: URLCache) -> ResponseCache {
        let (memory, disk) = (urlCache.memoryCapacity, urlCache.diskCapacity)
        if urlCache === URLCache.shared, untouched.contains(where: { $0 == (memory, disk) }) {
            return .shared
        }
        // Released here, without a lock, and before another one needs the directory.
        _ = caches.withLock { caches in
            let gone = caches.filter { $0.value.urlCache == nil }
            for name in gone.keys { caches[name] = nil }
            return gone
        }
        return making.withLock {
            if let known = caches.withLock({ $0[ObjectIdentifier(urlCache)] }) { return known.cache }
            // URLCache does not tell its directory.
            let cache = ResponseCache(
                memoryCapacity: memory, diskCapacity: disk, diskPath: CacheDirectory.default + "-URLCache")
            caches.withLock { $0[ObjectIdentifier(urlCache)] = Entry(urlCache: urlCache, cache: cache) }
            return cache
        }
    }
}
