import CurlTransport
import HTTPCache
import HTTPSemantics

extension CachingSession {
    /// The settings of a session.
    ///
    /// You can read those of `URLSessionConfiguration` as if they were its own:
    /// `configuration.timeoutIntervalForRequest`.
    @dynamicMemberLookup
    public struct Configuration: Sendable {
        /// Changes a request before it is sent: another host in its URL, another field. The key, redirections and the
        /// response's `url` stay those of the request as the application wrote it. If it puts another host into the URL
        /// and does not set `Host`, `Host` is set to the old one. Over https libcurl then connects to the new host, and
        /// all of TLS is the old one's: the name that the server is told, its certificate, `pinnedPublicKeys` and
        /// `clientCertificates`. Set `Host` to the new host if the server has a certificate for that.
        /// An answer whose `Vary` names a field that it changes is not stored.
        public typealias Rewrite = @Sendable (URLRequest) async -> URLRequest

        /// The policy of requests whose own `cachePolicy` is `useProtocolCachePolicy`.
        public var requestCachePolicy = URLRequest.CachePolicy.useProtocolCachePolicy
        /// For how many seconds a stored response answers, whatever its header says; `nil` leaves it to the header. An
        /// older response is removed, and counts as a miss. It does not make a response storable, and a request's own
        /// `max-age`, `min-fresh` and `no-cache` still count. 0 and less: no stored response answers.
        public var timeToLive: Int64?
        /// See `Rewrite`.
        public var rewrite: Rewrite?
        /// How many bytes a body may run ahead of a slow reader if URLSession carries the requests: the first 256 KB in
        /// memory, the rest in an unlinked temporary file. A body that runs further ahead fails. Default 1 GiB. libcurl
        /// waits for the reader instead; it keeps 512 KB in memory, or a body that may still be stored.
        public var longestBacklog: Int64 = 1 << 30
        /// How many bytes a response's header may have, with its interim answers and trailers; a longer one fails with
        /// `dataLengthExceedsMaximum`. Default 1 MiB; libcurl itself accepts 100 KB a line, and since 8.4 300 KB in
        /// all. Ignored if URLSession carries the requests.
        public var largestHeader = 1 << 20
        /// How many bytes a body with a content coding (gzip, deflate) may have once decoded; a longer one fails with
        /// `dataLengthExceedsMaximum`. Default 1 GiB. Ignored if URLSession carries the requests.
        public var largestDecodedBody: Int64 = 1 << 30
        /// See `TransportSettings.idleTimeout`.
        package var idleTimeout = 118
        /// A file of PEM certificates to check servers against instead of the system's; `nil` for the system's. As with
        /// `pinnedPublicKeys` libcurl carries the requests where there is one.
        public var certificateFile: URL?
        /// The public keys that servers may have, by host, or under `*` for the hosts that are not named: at least one
        /// digest each, SHA-256 of the key (SubjectPublicKeyInfo) in base64, as RFC 7469 has it. A request to a server
        /// without one of them fails with `serverCertificateUntrusted`, even where its certificate is valid. Pin the
        /// key that will follow, too, or the application fails when the server changes its key.
        ///
        ///     configuration.pinnedPublicKeys = ["api.example.org": [present, next]]
        ///
        /// This makes the digest of a certificate:
        ///
        ///     openssl x509 -in server.pem -pubkey -noout | openssl pkey -pubin -outform der |
        ///         openssl dgst -sha256 -binary | base64
        ///
        /// libcurl alone checks them, so that it carries the requests where there are any; without it every request
        /// fails.
        public var pinnedPublicKeys: [String: [String]] = [:]
        /// The certificates that are shown to servers which ask for one, by host, or under `*` for all others. As with
        /// `pinnedPublicKeys` libcurl carries the requests where there are any.
        ///
        ///     configuration.clientCertificates = [
        ///         "api.example.org": CachingSession.ClientCertificate(certificateFile: certificate, keyFile: key)
        ///     ]
        public var clientCertificates: [String: ClientCertificate] = [:]
        /// Whether an error of the connection is answered by 504 (Gateway Timeout) where the stored response says
        /// `must-revalidate` or `no-cache`, as RFC 9111, section 5.2.2.2, has it. By default the request fails with the
        /// error.
        public var answersGatewayTimeout = false
        /// The name under which the session adds itself to the `Cache-Status` field (RFC 9211) of each answer: whether
        /// it was a hit, why not, whether the answer is stored, and how many seconds it stays fresh. `nil` adds none. A
        /// hit then costs some 10 µs more.
        public var cacheStatusName: String?
        /// Called once, with the reason, for each answer of an origin that is not stored: "why is this not cached?" May
        /// be called on any thread, and must not block. `ResponseCache.notStoredCounts` counts the reasons, and
        /// `Cache-Status` has them as `detail`.
        public var onNotStored: (@Sendable (URLRequest, NotStoredReason) -> Void)?
        /// See `Carrier`.
        public var carrier = Carrier.automatic
        /// Records the session's answers; `nil` records nothing, and costs nothing.
        public var recorder: RequestRecorder?

        /// The settings that the session shares with URLSession: time-outs, connections per host, cookies, additional
        /// header fields, credentials, protocol classes. A `CachingURLProtocol` among the last is not looked at.
        /// Without a `connectionProxyDictionary` libcurl takes proxies from the environment (`http_proxy`,
        /// `https_proxy`, `no_proxy`).
        ///
        /// A request fails after `timeoutInterval` seconds without progress. If that is 60, the default, or not above
        /// 0, `timeoutIntervalForRequest` counts instead. If that is not above 0 either, its default counts.
        public var urlSession = URLSessionSettings.default

        /// The library that sends a session's requests if the session has no transport.
        public enum Carrier: Sendable {
            /// libcurl, but URLSession on Apple systems, and if `urlSession.protocolClasses` has classes of the
            /// application.
            case automatic
            /// libcurl, found at run time. If that fails, URLSession, and `CachingSession.transportProblem` says why.
            /// If a body has no `Content-Length`, libcurl takes the end of a TLS connection, and over HTTP/2 a stream
            /// reset with NO_ERROR, for its end. Such a body is handed out but not stored, unless its coding (gzip,
            /// deflate) shows its end.
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

        /// The defaults, with or without a recorder.
        public init(recorder: RequestRecorder? = nil) { self.recorder = recorder }
    }
}

extension CachingSession {
    /// See `Configuration.clientCertificates`.
    public typealias ClientCertificate = TLSClientCertificate
}

extension CachingSession.Configuration {
    var rewriting: (@Sendable (OutgoingRequest) async -> OutgoingRequest)? {
        guard let rewrite else { return nil }
        return { outgoing in
            guard var request = URLRequest(outgoing.request) else { return outgoing }
            if case .bytes(let bytes) = outgoing.body { request.httpBody = Data(bytes) }
            // The application's code must not delay the transport's thread.
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
