import Foundation
import HTTPCache
import HTTPSemantics
import Platform

/// One exchange on libcurl's thread: an easy handle, the request's body, and where the answer goes.
///
/// Invariants: only the worker's thread makes and uses an object. libcurl has its address, unretained, and calls the
/// callbacks below on that thread during `perform` and `pause`. The worker keeps the object as long as the easy handle
/// is in the multi handle. The error buffer and the list of header lines live as long as the object.
final class CurlTransfer {
    let easy: CurlLibrary.Handle
    let body: CurlBody
    private var time: ExchangeDeadline

    let library: CurlLibrary
    let request: CurlRequest
    let settings: TransportSettings
    private let news: CurlNews
    private let connections: CurlConnections
    let errorText: UnsafeMutablePointer<CChar>
    let headerLines: CurlLibrary.StringList?
    /// The server to connect to, if that is not the URL's.
    let servers: CurlLibrary.StringList?
    let upload: CurlUpload?
    private let onBytesToSend: @Sendable () -> Void
    /// libcurl has paused sending, because the upload has no bytes yet.
    private var isUploadPaused = false
    private var head: ResponseHeadReader
    private var decoder: ContentDecoder?
    private var decodedBytes: Int64 = 0
    private var bodyEnd = BodyEnd.certain
    var attempts: Attempts
    /// libcurl reports what it does, while that may decide about a second attempt.
    private var isVerbose = false
    /// Why this object ended the transfer, instead of libcurl's own error.
    private var failure: URLError?
    private var isReceived = false
    /// Read as soon as libcurl is done.
    private var times: TransactionTimes?

    /// `nil` if there is no memory for it.
    ///
    /// - Parameter repeated: the transfer that this one repeats, on a new connection.
    init?(
        _ request: CurlRequest, _ body: CurlBody, _ easy: CurlLibrary.Handle, library: CurlLibrary,
        settings: TransportSettings, news: CurlNews, connections: CurlConnections, repeating repeated: CurlTransfer?,
        onBytesToSend: @escaping @Sendable () -> Void
    ) {
        var lines: CurlLibrary.StringList?
        for line in request.lines {
            let longer = line.withUnsafeBufferPointer { line in
                line.withMemoryRebound(to: CChar.self) { text in
                    text.baseAddress.flatMap { library.appendToList(lines, $0) }
                }
            }
            guard let longer else {
                library.destroyList(lines)
                return nil
            }
            lines = longer
        }
        headerLines = lines
        // For every host and port of a URL.
        servers = request.terms.server.flatMap { library.appendToList(nil, "::\($0)") }
        guard request.terms.server == nil || servers != nil else {
            library.destroyList(lines)
            return nil
        }
        errorText = .allocate(capacity: Curl.errorBufferSize)
        errorText.initialize(repeating: 0, count: Curl.errorBufferSize)
        self.request = request
        self.body = body
        self.easy = easy
        self.library = library
        self.settings = settings
        time = repeated?.time ?? ExchangeDeadline(idle: request.timeout)
        self.news = news
        self.connections = connections
        let sent = request.body ?? (request.announcesEmptyBody ? .bytes([]) : nil)
        self.onBytesToSend = onBytesToSend
        upload = repeated?.upload ?? sent.map { CurlUpload($0, onBytes: onBytesToSend) }
        attempts = Attempts(isIdempotent: request.isIdempotent, isRepetition: repeated != nil)
        head = ResponseHeadReader(
            limit: settings.largestHeader, isHead: request.method == "HEAD", expectsContinue: request.expectsContinue)
        configure()
    }

    deinit {
        library.destroyList(headerLines)
        library.destroyList(servers)
        errorText.deallocate()
    }

    // MARK: Callbacks

    /// libcurl is about to send the request. Returns whether it may.
    func begin(to address: UnsafePointer<CChar>?, port: Int32, localPort: Int32) -> Bool {
        let connection = connections.connection(to: address, port: port, localPort: localPort)
        switch attempts.begin(on: connection, isEncrypted: request.isEncrypted, isExpected: head.isProvisional) {
        case .granted:
            // Opening a connection takes milliseconds anyway, and only HTTP/2 has something to tell.
            if !attempts.isOnUsedConnection, request.isEncrypted { listen() }
            return true
        case .onNewConnection: return false
        case .refused:
            fail(
                .networkConnectionLost,
                "the connection closed before an answer came; \(request.method) may have been carried out and is not sent again"
            )
            return false
        }
    }

    /// Makes libcurl report what it does, up to the first byte of an answer.
    func listen() {
        guard !isVerbose else { return }
        isVerbose = true
        library.set(easy, .verbose, 1)
    }

    func readHeader(_ line: UnsafeRawBufferPointer) -> Int {
        time.progress(now: news.now)
        if isVerbose {
            isVerbose = false
            library.set(easy, .verbose, 0)
        }
        guard attempts.hasAnswerInTime() else {
            if !attempts.isRepeated(wasLost: false) {
                fail(.networkConnectionLost, "an answer came before the request was sent, so that it is to another one")
            }
            return -1
        }
        do {
            guard try head.read(line) else {
                if request.onProgress != nil, head.response == nil { news.appendHeaderLine(of: self) }
                return line.count
            }
            attempts.connection?.isHTTP1 = !head.isHTTP2
            if let status = head.response?.status, attempts.mayRepeat(afterStatus: status) { return -1 }
            if !head.isProvisional { handOutHead() }
            return line.count
        } catch {
            fail(error.isTooLong ? .dataLengthExceedsMaximum : .badServerResponse, error.reason)
            return -1
        }
    }

    private func handOutHead() {
        guard let response = head.response else { return }
        head.settle()
        decoder = ContentDecoder(response)
        bodyEnd = bodyEnd(of: response)
        body.receive(decoder == nil ? response : response.decoded, isEndCertain: bodyEnd != .uncertain)
        news.append(self)
        // libcurl sends no more then (RFC 9112, section 9.5), but it ends no transfer that is paused.
        if response.status >= 300, isUploadPaused { onBytesToSend() }
    }

    /// How the end of a body can be told from a cut. libcurl also takes two other things for the end: the end of a TLS
    /// connection, with or without an alert (RFC 9112, section 9.8), and over HTTP/2 a stream reset with NO_ERROR.
    private enum BodyEnd {
        case certain, uncertain
        /// By the content coding, behind the first byte.
        case coded
    }

    private func bodyEnd(of response: HTTPResponse) -> BodyEnd {
        if !head.hasBody || response.headerFields["Content-Length"] != nil { return .certain }
        // A coded body that is cut fails to decode.
        if head.isHTTP2 { return decoder == nil ? .uncertain : .coded }
        // The head has been refused if it has another coding than `chunked`, or `identity`, which ends nothing.
        let isChunked = response.headerFields["Transfer-Encoding"]?.lowercased().contains("chunked") == true
        return isChunked || !request.isEncrypted ? .certain : .uncertain
    }

    /// - Returns: the number of bytes if they were taken; otherwise that the transfer must pause or end.
    func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        time.progress(now: news.now)
        guard failure == nil else { return -1 }
        if head.isProvisional { handOutHead() }
        guard decoder?.hasInput != true, body.room() > 0 else {
            time.isWaiting = true
            return Curl.pauseTransfer
        }
        news.append(self)
        if decoder == nil {
            body.receive(bytes)
        } else {
            let before = decodedBytes
            decoder?.append(bytes)
            guard decode() else { return -1 }
            // Coded bytes have come, even if they decode to nothing yet.
            if decodedBytes == before { body.receive(UnsafeRawBufferPointer(start: nil, count: 0)) }
        }
        return bytes.count
    }

    func readUpload(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        time.progress(now: news.now)
        switch upload?.read(into: buffer) ?? .bytes(0) {
        case .bytes(let count):
            isUploadPaused = false
            return count
        case .wait:
            isUploadPaused = true
            return Curl.pauseTransfer
        case .failed(let error as CurlUpload.WrongLength):
            fail(.requestBodyStreamExhausted, error.description)
            return Curl.abortReading
        case .failed(let error):
            failure =
                error as? URLError
                ?? URLError(
                    .cannotOpenFile, url: request.url, "the request's body cannot be read: \(error)", cause: error)
            return Curl.abortReading
        }
    }

    // MARK: Going on

    private func decode() -> Bool {
        do {
            while decoder?.hasInput == true {
                let left = max(settings.largestDecodedBody - decodedBytes, 0)
                let room = min(body.room(), Int(clamping: min(left, .max - 1) + 1))
                guard room > 0, let part = try decoder?.decode(room: room) else { return true }
                decodedBytes += Int64(part.count)
                guard decodedBytes <= settings.largestDecodedBody else {
                    fail(
                        .dataLengthExceedsMaximum,
                        "the decoded body is longer than \(settings.largestDecodedBody) bytes; raise largestDecodedBody"
                    )
                    return false
                }
                part.withUnsafeBytes { body.receive($0) }
            }
            return true
        } catch {
            fail(.cannotDecodeContentData, error.reason)
            return false
        }
    }

    /// Continues after a pause, when there is room for bytes, or there are bytes to send. Returns whether the exchange
    /// is over.
    func resume() -> Bool {
        news.begin()
        time.progress(now: news.now)
        news.append(self)
        guard decode() else {
            finish()
            return true
        }
        if isReceived {
            if decoder?.hasInput != true { finish() }
            return decoder?.hasInput != true
        }
        // libcurl may call back at once, and pause again. It forgets a failure in such a call, and perhaps no more
        // bytes follow to make it fail again.
        time.isWaiting = false
        _ = library.pause(easy, 0)
        if failure != nil { finish() }
        return failure != nil
    }

    /// What follows when libcurl is done.
    enum Completion {
        case over
        /// The reader must make room for the bytes that wait.
        case decoding
        case again
    }

    func complete(_ code: Int32) -> Completion {
        isReceived = true
        time.isWaiting = true
        if code != Curl.ok, failure == nil, isRepeated(after: code) { return .again }
        if request.terms.onTransaction != nil { times = TransactionTimes(of: easy, library, url: request.url) }
        if head.isProvisional { handOutHead() }
        if failure == nil, code != Curl.ok { fail(code) }
        if failure == nil, head.response == nil {
            fail(.networkConnectionLost, "the connection was closed within the header")
        }
        if failure == nil, decoder?.hasInput == true { return .decoding }
        finish()
        return .over
    }

    private func isRepeated(after code: Int32) -> Bool {
        let wasLost =
            head.isUntouched
            && (attempts.mayHaveReadEarlyBytes || Curl.connectionLost.contains(code) || hasGivenUpStream(code))
        guard attempts.isRepeated(wasLost: wasLost), upload?.seek(to: 0) ?? true else { return false }
        time.isWaiting = false
        return true
    }

    /// libcurl 8 ends a stream like this after a GOAWAY with an error.
    private func hasGivenUpStream(_ code: Int32) -> Bool {
        code == Curl.streamFailed && String(cString: errorText).contains("reset by curl")
    }

    private func fail(_ code: Int32) {
        let kind = URLError.Code(curlCode: code, certificateResult: library.number(easy, .certificateResult))
        var text = String(cString: errorText)
        if text.isEmpty { text = library.message(code).map { String(cString: $0) } ?? "error \(code) of libcurl" }
        if kind == .serverCertificateHasUnknownRoot {
            text += "; to trust its authority, set certificateFile to a file with the authority's certificate"
        }
        if head.isUntouched, !request.isIdempotent, code == Curl.streamFailed || Curl.connectionLost.contains(code) {
            text += "; \(request.method) may have been carried out and is not sent again"
        }
        fail(kind, text)
    }

    private func finish() {
        if failure == nil {
            do {
                try decoder?.finish()
            } catch {
                fail(.networkConnectionLost, error.reason)
            }
        }
        // Before the end of the body, which its reader waits for.
        if let times { request.terms.onTransaction?(times) }
        let isCertain = bodyEnd != .coded || decoder?.isUntouched == false
        body.finish(failure.map { .failure($0) } ?? .success(()), isCertain: isCertain)
    }

    /// Tells the engine that bytes have come. Not once the header is complete, which the engine notices itself.
    func tellProgress() {
        if head.response == nil { request.onProgress?() }
    }

    func abandon(_ error: any Error) { body.finish(.failure(error)) }

    private func fail(_ code: URLError.Code, _ reason: String) {
        if failure == nil { failure = URLError(code, url: request.url, reason) }
    }

    /// Ends the exchange before it begins: libcurl finds no URL.
    func refuse(_ reason: String) {
        fail(.secureConnectionFailed, reason)
        library.set(easy, .url, "")
    }

    // MARK: Time-outs

    /// When the exchange must be over if nothing happens, in nanoseconds of the monotonic clock. A transfer that waits
    /// for its reader is not idle.
    var deadline: UInt64 { time.moment }

    /// Whether its time is over. What passed before the application resumed the request doesn't count.
    func isOverdue(now: UInt64) -> Bool {
        if let running = request.secondsRunning?() { time.count(seconds: running, now: now) }
        return deadline <= now
    }

    var timeoutError: URLError { URLError(.timedOut, url: request.url, time.reason) }
}
