extension CachingSession {
    /// How a session goes about its work.
    public struct Configuration: Sendable {
        /// Changes a request that is about to be sent: another host in its URL, another field. Key, redirections and
        /// the response's `url` stay those of the request as the application wrote it. Where it puts another host into
        /// the URL and sets no `Host` itself, `Host` is set to the old one.
        public typealias Rewrite = @Sendable (URLRequest) async -> URLRequest

        /// What requests get whose own `cachePolicy` is `useProtocolCachePolicy`.
        public var requestCachePolicy = URLRequest.CachePolicy.useProtocolCachePolicy
        /// Seconds that a stored response is good for, whatever its header says; `nil` leaves it to the header. What is
        /// older is removed, and reads as a miss. What may not be stored is not stored for its sake either.
        public var timeToLive: Int64?
        /// See `Rewrite`.
        public var rewrite: Rewrite?
        /// Bytes that a body may run ahead of a slow reader: the first 256 KB in memory, the rest in an unlinked
        /// temporary file. A body that runs further ahead fails. Default 1 GiB.
        public var longestBacklog: Int64 = 1 << 30

        /// How the session's own URLSession is set up: time-outs, connections per host, cookies, proxies. Its cache and
        /// its cache policy are not looked at, and neither is a `CachingURLProtocol` among its protocol classes.
        /// Copied on the way in and out.
        public var urlSession: URLSessionConfiguration {
            get { settings.copied }
            set { settings = URLSessionSettings(newValue) }
        }

        var settings = URLSessionSettings(.default)

        /// The defaults.
        public init() {}
    }
}

/// A copy of a configuration that nobody changes.
///
/// `@unchecked Sendable`: the object is written by nobody once it is copied, and only copies of it are handed out.
struct URLSessionSettings: @unchecked Sendable {
    private let configuration: URLSessionConfiguration

    init(_ configuration: URLSessionConfiguration) { self.configuration = Self.copy(configuration) }

    var copied: URLSessionConfiguration { Self.copy(configuration) }

    private static func copy(_ configuration: URLSessionConfiguration) -> URLSessionConfiguration {
        configuration.copy() as? URLSessionConfiguration ?? .default
    }
}
