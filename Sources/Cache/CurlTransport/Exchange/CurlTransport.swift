import Foundation
import HTTPCache
import HTTPSemantics
import Platform

/// Carries requests by libcurl: HTTP/1.1 and HTTP/2, connections kept, TLS checked against the system's store, proxies
/// from the environment, bodies decoded and bounded. Redirections and challenges are answers like any other.
package final class CurlTransport: Transport {
    private let worker: CurlWorker
    private let defaults: DefaultLines

    /// - Parameter startThread: replaced in tests.
    /// - Throws: when libcurl cannot be loaded.
    package init(
        _ settings: TransportSettings, library: Result<CurlLibrary, TransportProblem> = CurlLibrary.shared,
        startThread: @escaping ThreadStart = Platform.startThread
    ) throws(TransportProblem) {
        let library = try library.get()
        worker = try CurlWorker(library, settings, startThread: startThread)
        let version = library.version.prefix { $0 != " " }
        let process = String(ProcessInfo.processInfo.processName.map { $0.isASCII && $0.isLetter ? $0 : "_" })
        // As URLSession on Linux has it.
        defaults = DefaultLines(
            userAgent: "\(process) (unknown version) \(version.replacing("libcurl", with: "curl"))")
    }

    deinit { worker.close() }

    /// The thread that drives libcurl. Work that blocks would hold up every exchange.
    package var executor: any TaskExecutor { worker }

    package func send(_ outgoing: OutgoingRequest) async throws -> IncomingResponse {
        try Task.checkCancellation()
        let body = worker.begin(try CurlRequest(outgoing, defaults: defaults))
        return try await withTaskCancellationHandler {
            try await body.incoming()
        } onCancel: {
            body.cancel()
        }
    }
}

extension CurlTransport: ExchangeCounting {
    package var exchangesUnderWay: Int { worker.exchangesUnderWay }
}

/// A session's configuration, as far as a transport needs it.
package struct TransportSettings: Sendable {
    /// See `URLSessionConfiguration.httpMaximumConnectionsPerHost`.
    package var connectionsPerHost = 6
    /// Connections are kept for later exchanges.
    package var keepsConnections = true
    /// Seconds after which a kept connection that nobody used is not used again; libcurl's own default.
    package var idleTimeout = 118
    /// Seconds that an exchange may take from its beginning to the last byte; see
    /// `URLSessionConfiguration.timeoutIntervalForResource`.
    package var resourceTimeout = 7.0 * 24 * 3600
    /// Bytes of header; see `CachingSession.Configuration.largestHeader`.
    package var largestHeader = 1 << 20
    /// Bytes; see `CachingSession.Configuration.largestDecodedBody`.
    package var largestDecodedBody: Int64 = 1 << 30
    /// A file of certificates in PEM that are trusted in the place of the system's.
    package var certificateFile: String?

    /// Settings, by default those of URLSession.
    package init() {}
}

/// A transport that knows how many exchanges have not ended.
package protocol ExchangeCounting {
    /// Exchanges that have not ended.
    var exchangesUnderWay: Int { get }
}
