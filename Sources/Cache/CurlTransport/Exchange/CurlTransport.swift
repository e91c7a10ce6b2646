import Foundation
import HTTPCache
import HTTPSemantics
import Platform

/// Carries requests by libcurl: HTTP/1.1 and HTTP/2, connections kept, TLS checked against the system's store, proxies
/// of the settings or the environment, bodies decoded and bounded. Redirections and challenges are answers like any
/// other.
package final class CurlTransport: Transport {
    private let worker: CurlWorker
    private let defaults: DefaultLines

    /// - Parameter startThread: replaced in tests.
    /// - Throws: if libcurl cannot be loaded.
    package init(
        _ settings: TransportSettings, library: Result<CurlLibrary, TransportProblem> = CurlLibrary.shared,
        startThread: @escaping ThreadStart = Platform.startThread
    ) throws(TransportProblem) {
        let library = try library.get()
        worker = try CurlWorker(library, settings, startThread: startThread)
        let version = library.version.prefix { $0 != " " }
        let process = String(ProcessInfo.processInfo.processName.map { $0.isASCII && $0.isLetter ? $0 : "_" })
        // Like URLSession on Linux.
        defaults = DefaultLines(userAgent: "\(process) (unknown version) \(version.replacing("libcurl", with: "curl"))")
    }

    deinit { worker.close() }

    /// The thread that drives libcurl. Work that blocks would hold up every exchange.
    package var executor: any TaskExecutor { worker }

    package func send(_ outgoing: OutgoingRequest) async throws -> IncomingResponse {
        try await send(outgoing, ExchangeTerms())
    }

    /// Sends a request on terms of its own.
    package nonisolated(nonsending) func send(
        _ outgoing: OutgoingRequest, _ terms: ExchangeTerms
    ) async throws -> IncomingResponse {
        try Task.checkCancellation()
        let body = worker.begin(try CurlRequest(outgoing, defaults: defaults, terms))
        return try await withTaskCancellationHandler {
            try await body.incoming()
        } onCancel: {
            body.cancel()
        }
    }
}

/// What an `OutgoingRequest` does not say of an exchange.
package struct ExchangeTerms: Sendable {
    /// The host and port to connect to, `host:port`, in the place of the URL's, which stays the server's name; `nil`
    /// for the URL's.
    package var server: String?
    /// Told when the steps of the exchange happened: once, before the end of the body can be read; not for an exchange
    /// that was cancelled or timed out.
    package var onTransaction: TransactionHandler?

    package init() {}
}

extension CurlTransport: ExchangeCounting {
    package var exchangesUnderWay: Int { worker.exchangesUnderWay }
}

/// What a transport needs to know of a session's configuration.
package struct TransportSettings: Sendable {
    /// See `URLSessionConfiguration.httpMaximumConnectionsPerHost`.
    package var connectionsPerHost = 6
    package var keepsConnections = true
    /// After how many seconds an idle kept connection is no longer used; libcurl's own default.
    package var idleTimeout = 118
    /// Bytes of header; see `CachingSession.Configuration.largestHeader`.
    package var largestHeader = 1 << 20
    /// Bytes; see `CachingSession.Configuration.largestDecodedBody`.
    package var largestDecodedBody: Int64 = 1 << 30
    /// What is demanded of servers, and shown to them.
    package var tls = TLSSettings()
    /// The proxies; `nil` for those of the environment.
    package var proxies: ProxySettings?

    package init() {}
}

package protocol ExchangeCounting {
    var exchangesUnderWay: Int { get }
}
