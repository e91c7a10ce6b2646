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

        /// Like `URLSessionConfiguration.ephemeral`: cookies and credentials only for this session, in memory.
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

struct TakenConfiguration {
    var configuration = CachingSession.Configuration()
    let cache: ResponseCache?
    let problems: [SettingProblem]

    init(_ settings: URLSessionConfiguration) {
        configuration.urlSession = CachingSession.URLSessionSettings(settings)
        configuration.requestCachePolicy = settings.requestCachePolicy
        var problems = SettingProblem.all(of: settings)
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

    private static let caches = Locked<[ObjectIdentifier: Entry]>([:])
    /// The capacities of an unchanged `URLCache.shared`, on Linux and on Apple systems, bytes.
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

/// A setting of a `URLSessionConfiguration` that has no effect on a `CachingSession`.
public struct SettingProblem: Sendable, Hashable, CustomStringConvertible {
    /// The name of the property.
    public let setting: String
    /// Why it has no effect.
    public let reason: String
    /// What to do instead.
    public let remedy: String

    /// The setting, the reason and the remedy.
    public var description: String { "\(setting) has no effect: \(reason); \(remedy)" }

    /// Those of a configuration's settings that are not the default and have no effect.
    static func all(of settings: URLSessionConfiguration) -> [SettingProblem] {
        var problems: [SettingProblem] = []
        if let identifier = settings.identifier {
            problems.append(
                SettingProblem(
                    setting: "background(withIdentifier: \"\(identifier)\")",
                    reason: "a CachingSession ends with its process", remedy: "use URLSession for background transfers")
            )
        }
        #if canImport(FoundationNetworking)
        problems += proxies(of: settings, CachingSession.Configuration())
        let usual = URLSessionConfiguration.default
        let ignored: [(String, Bool, String)] = [
            ("networkServiceType", settings.networkServiceType != usual.networkServiceType, "remove it"),
            ("allowsCellularAccess", settings.allowsCellularAccess != usual.allowsCellularAccess, "remove it"),
            ("isDiscretionary", settings.isDiscretionary != usual.isDiscretionary, "remove it"),
        ]
        for (setting, isSet, remedy) in ignored where isSet {
            problems.append(SettingProblem(setting: setting, reason: "Linux does not know it", remedy: remedy))
        }
        #endif
        return problems
    }

    /// What of `connectionProxyDictionary` has no effect.
    static func proxies(
        of settings: URLSessionConfiguration, _ configuration: CachingSession.Configuration
    ) -> [SettingProblem] {
        #if canImport(FoundationNetworking)
        guard let proxies = settings.connectionProxyDictionary else { return [] }
        if configuration.usesLibcurl(settings) { return ProxyDictionary(proxies).problems }
        return [
            SettingProblem(
                setting: "connectionProxyDictionary",
                reason:
                    "URLSession carries the requests because of carrier or protocolClasses, and knows no proxies on Linux",
                remedy: "let libcurl carry them, or set http_proxy, https_proxy and no_proxy")
        ]
        #else
        return []
        #endif
    }

    /// A delegate of both kinds, of whose methods half are never called.
    static func neverCalled(_ delegate: AnyObject?, _ methods: String, remedy: String) -> [SettingProblem] {
        guard let delegate else { return [] }
        return [
            SettingProblem(
                setting: "delegate", reason: "the methods of \(methods) of \(type(of: delegate)) are not called",
                remedy: remedy)
        ]
    }

    private static let told = Locked<Set<SettingProblem>>([])

    /// Writes problems to the standard error, each once in a process.
    static func tell(_ problems: [SettingProblem]) {
        guard !problems.isEmpty else { return }
        let new = told.withLock { told in problems.filter { told.insert($0).inserted } }
        for problem in new { FileHandle.standardError.write(Data("CachingSession: \(problem)\n".utf8)) }
    }
}
