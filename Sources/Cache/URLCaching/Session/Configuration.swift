import CurlTransport
import HTTPCache
import HTTPSemantics

extension CachingSession {
    /// The settings of a session.
    ///
    /// Those of `URLSessionConfiguration` can be read as if they were its own: `configuration.timeoutIntervalForRequest`.
    @dynamicMemberLookup
    public struct Configuration: Sendable {
        /// Changes a request that is about to be sent: another host in its URL, another field. Key, redirections and
        /// the response's `url` stay those of the request as the application wrote it. Where it puts another host into
        /// the URL and sets no `Host` itself, `Host` is set to the old one.
        public typealias Rewrite = @Sendable (URLRequest) async -> URLRequest

        /// The policy of requests whose own `cachePolicy` is `useProtocolCachePolicy`.
        public var requestCachePolicy = URLRequest.CachePolicy.useProtocolCachePolicy
        /// Seconds for which a stored response answers, whatever its header says; `nil` leaves it to the header. An older
        /// response is removed, and reads as a miss. A response that may not be stored is not stored because of this.
        public var timeToLive: Int64?
        /// See `Rewrite`.
        public var rewrite: Rewrite?
        /// Bytes that a body may run ahead of a slow reader where URLSession carries the requests: the first 256 KB in
        /// memory, the rest in an unlinked temporary file. A body that runs further ahead fails. Default 1 GiB. libcurl
        /// waits for the reader instead, and 512 KB are in memory, or a body that may still be stored.
        public var longestBacklog: Int64 = 1 << 30
        /// Bytes that a response's header may have, with its interim answers and trailers; a longer one fails with
        /// `dataLengthExceedsMaximum`. Default 1 MiB; libcurl itself takes 100 KB a line, and since 8.4 300 KB in all.
        /// Not looked at where URLSession carries the requests.
        public var largestHeader = 1 << 20
        /// Bytes that a body with a content coding (gzip, deflate) may have once it is decoded; a longer one fails with
        /// `dataLengthExceedsMaximum`. Default 1 GiB. Not looked at where URLSession carries the requests.
        public var largestDecodedBody: Int64 = 1 << 30
        /// See `TransportSettings.idleTimeout`.
        package var idleTimeout = 118
        /// A file of certificates in PEM that servers are checked against in the place of the system's; `nil` for the
        /// system's. Not looked at where URLSession carries the requests.
        public var certificateFile: URL?
        /// Whether an error of the connection is answered by 504 (Gateway Timeout) where the stored response says
        /// `must-revalidate` or `no-cache`, as RFC 9111, section 5.2.2.2, has it. By default the request fails with the
        /// error.
        public var answersGatewayTimeout = false
        /// The name under which the session adds itself to the `Cache-Status` field (RFC 9211) of each answer: whether it
        /// was a hit, why not, whether the answer is stored, and the seconds that it stays fresh. `nil` adds none. A hit
        /// costs some 10 µs more with it.
        public var cacheStatusName: String?
        /// Told of each answer of an origin that is not stored, once, with the reason: "why is this not cached?" Called
        /// on any thread, and must not block. `ResponseCache.notStoredCounts` counts the reasons, and `Cache-Status`
        /// has them as `detail`.
        public var onNotStored: (@Sendable (URLRequest, NotStoredReason) -> Void)?
        /// See `Carrier`.
        public var carrier = Carrier.automatic
        /// Records the session's answers; `nil` records nothing, and costs nothing.
        public var recorder: RequestRecorder?

        /// The settings that the session shares with URLSession: time-outs, connections per host, cookies, additional
        /// header fields, credentials, protocol classes. A `CachingURLProtocol` among the last is not looked at.
        /// libcurl takes proxies from the environment (`http_proxy`, `https_proxy`, `no_proxy`).
        ///
        /// A request fails after `timeoutInterval` seconds without progress. Where that is 60, the default, or not above
        /// 0, `timeoutIntervalForRequest` counts in its place. A time-out of the configuration that is not above 0 stands
        /// for the default.
        public var urlSession = URLSessionSettings.default

        /// The library that sends a session's requests if the session has no transport.
        public enum Carrier: Sendable {
            /// libcurl, but URLSession on Apple systems, and where protocol classes of the application's are among
            /// `urlSession.protocolClasses`.
            case automatic
            /// libcurl, found at run time. If that fails, URLSession; `CachingSession.transportProblem` then gives the
            /// reason. libcurl takes the end of a TLS connection, and over HTTP/2 a reset of the stream with NO_ERROR,
            /// for the end of a body without `Content-Length`. Such a body is handed out and not stored, unless its
            /// coding (gzip, deflate) shows its end.
            case libcurl
            /// URLSession. On Linux some broken answers end the process: a connection that closes within the header, a
            /// chunked body with a trailer.
            case urlSession
        }

        /// A setting of `urlSession`.
        public subscript<Value>(dynamicMember setting: KeyPath<URLSessionConfiguration, Value>) -> Value {
            urlSession.value(setting)
        }

        /// Finds libcurl; replaced in tests.
        var loadLibcurl: @Sendable () -> Result<CurlLibrary, TransportProblem> = { CurlLibrary.shared }

        /// The defaults, with a recorder or without.
        public init(recorder: RequestRecorder? = nil) { self.recorder = recorder }
    }
}

extension CachingSession.Configuration {
    /// The application's rewriting of what is sent, for the engine; `nil` if there is none.
    var rewriting: (@Sendable (OutgoingRequest) async -> OutgoingRequest)? {
        guard let rewrite else { return nil }
        return { outgoing in
            guard var request = URLRequest(outgoing.request) else { return outgoing }
            if case .bytes(let bytes) = outgoing.body { request.httpBody = Data(bytes) }
            // The application's code must not hold up the transport's thread.
            var rewritten = await withTaskExecutorPreference(globalConcurrentExecutor) { [request] in
                await rewrite(request)
            }
            if let host = request.url?.host, rewritten.url?.host != host,
                rewritten.value(forHTTPHeaderField: "Host") == nil
            {
                let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
                rewritten.setValue(request.url?.port.map { "\(name):\($0)" } ?? name, forHTTPHeaderField: "Host")
            }
            var outgoing = outgoing
            outgoing.request = HTTPRequest(rewritten)
            if rewritten.httpBody != request.httpBody || rewritten.httpBodyStream != nil {
                outgoing.body = RequestBody(rewritten)
            }
            return outgoing
        }
    }
}
