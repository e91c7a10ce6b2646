extension CachingSession {
    /// The settings of a `URLSessionConfiguration`, as a value: a setting takes effect where it is made, and there
    /// alone.
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

        /// Copies the settings of a configuration, which may be changed or released afterwards.
        public init(_ configuration: URLSessionConfiguration) { settings = Self.copy(configuration) }

        /// As `URLSessionConfiguration.default`.
        public static var `default`: Self { Self(.default) }

        /// As `URLSessionConfiguration.ephemeral`: cookies and credentials of this session alone, in memory.
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
    /// libcurl takes proxies from the environment.
    @available(*, unavailable, message: "set http_proxy, https_proxy and no_proxy in the environment")
    public var connectionProxyDictionary: [AnyHashable: Any]? {
        get { nil }
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
