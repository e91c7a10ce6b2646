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
