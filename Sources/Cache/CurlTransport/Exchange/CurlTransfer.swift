import Foundation
import HTTPCache
import HTTPSemantics
import Platform

/// One exchange on libcurl's thread: an easy handle, the request's body, and the destination of the answer.
///
/// Invariants: an object is made and used by the worker's thread alone. libcurl has its address, unretained, and calls
/// the callbacks below during `perform` and `pause` on that thread; the worker keeps the object for as long as the easy
/// handle belongs to the multi handle. The error buffer and the list of header lines live as long as the object.
final class CurlTransfer {
    let easy: CurlLibrary.Handle
    let body: CurlBody
    private var time: ExchangeDeadline

    private let library: CurlLibrary
    private let request: CurlRequest
    private let settings: TransportSettings
    private let news: CurlNews
    private let errorText: UnsafeMutablePointer<CChar>
    private let headerLines: CurlLibrary.StringList?
    private let upload: CurlUpload?
    private var head: ResponseHeadReader
    private var decoder: ContentDecoder?
    private var decodedBytes: Int64 = 0
    /// Times that libcurl was about to send the request.
    private var attempts = 0
    /// Why this object ended the transfer, in the place of libcurl's own error.
    private var failure: URLError?
    /// libcurl is done, and its last bytes are still being decoded.
    private var isReceived = false

    /// `nil` when there is no memory for it.
    init?(
        _ request: CurlRequest, _ body: CurlBody, _ easy: CurlLibrary.Handle, library: CurlLibrary,
        settings: TransportSettings, news: CurlNews, onBytesToSend: @escaping @Sendable () -> Void
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
        errorText = .allocate(capacity: Curl.errorBufferSize)
        errorText.initialize(repeating: 0, count: Curl.errorBufferSize)
        self.request = request
        self.body = body
        self.easy = easy
        self.library = library
        self.settings = settings
        time = ExchangeDeadline(whole: settings.resourceTimeout, idle: request.timeout)
        self.news = news
        let sent = request.body ?? (request.announcesEmptyBody ? .bytes([]) : nil)
        upload = sent.map { CurlUpload($0, onBytes: onBytesToSend) }
        head = ResponseHeadReader(
            limit: settings.largestHeader, isHead: request.method == "HEAD", expectsContinue: request.expectsContinue)
        configure()
    }

    deinit {
        library.destroyList(headerLines)
        errorText.deallocate()
    }

    /// Sets the options that every exchange of a session has.
    static func configure(_ easy: CurlLibrary.Handle, _ library: CurlLibrary, _ settings: TransportSettings) {
        library.set(easy, .noSignal, 1)
        if !library.set(easy, .protocolNames, "http,https") { library.set(easy, .protocols, Curl.httpAndHTTPS) }
        library.set(easy, .httpVersion, Curl.http2OverTLS)
        library.set(easy, .pathAsIs, 1)
        library.set(easy, .bufferSize, 128 << 10)
        library.set(easy, .contentDecoding, 0)
        library.set(easy, .allowHTTP09, 0)
        library.set(easy, .suppressConnectHeaders, 1)
        // The worker has its own time-outs; libcurl's for connecting would come before a longer one.
        library.set(easy, .connectTimeoutMilliseconds, Int(Int32.max))
        // Or a cancelled look-up of a name would hold up the thread.
        library.set(easy, .quickExit, 1)
        if !settings.keepsConnections { library.set(easy, .forbidReuse, 1) }
        if let file = settings.certificateFile { library.set(easy, .certificateFile, file) }
        library.set(easy, .write) { bytes, size, count, user in
            CurlTransfer.at(user)?.write(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
        }
        library.set(easy, .header) { bytes, size, count, user in
            CurlTransfer.at(user)?.readHeader(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
        }
    }

    /// Sets the options of this exchange.
    private func configure() {
        let user = Unmanaged.passUnretained(self).toOpaque()
        library.set(easy, .url, request.url)
        library.set(easy, .errorBuffer, errorText)
        library.set(easy, .headerLines, headerLines)
        library.set(easy, .writeUser, user)
        library.set(easy, .headerUser, user)
        if !request.isIdempotent { sendOnce(user) }
        guard let upload else {
            // A GET is the default.
            if request.method == "HEAD" { library.set(easy, .noBody, 1) }
            if request.method != "GET", request.method != "HEAD" { library.set(easy, .method, request.method) }
            return
        }
        library.set(easy, .upload, 1)
        library.set(easy, .method, request.method)
        library.set(easy, .uploadSize, upload.byteCount ?? -1)
        library.set(easy, .readUser, user)
        library.set(easy, .read) { buffer, size, count, user in
            CurlTransfer.at(user)?.readUpload(UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
                ?? Curl.abortReading
        }
        library.set(easy, .seekUser, user)
        library.set(easy, .seek) { user, offset, origin in
            let isSought = origin == SEEK_SET && CurlTransfer.at(user)?.upload?.seek(to: offset) == true
            return isSought ? Curl.seekSucceeded : Curl.seekFailed
        }
    }

    /// Keeps libcurl from sending the request again after a kept connection has broken, since the origin may have carried
    /// it out (RFC 9110, section 9.2.2).
    private func sendOnce(_ user: UnsafeMutableRawPointer) {
        let isKnown = library.set(
            easy, .beforeRequest,
            beforeRequest: { user, _, _, _, _ in
                CurlTransfer.at(user)?.begin() == true ? Curl.requestGoesOn : Curl.requestIsAborted
            })
        library.set(easy, .beforeRequestUser, user)
        // Before 7.80. The request is sent again on connections that were used before, so it gets a new one.
        if !isKnown { library.set(easy, .freshConnect, 1) }
    }

    private static func at(_ user: UnsafeMutableRawPointer?) -> CurlTransfer? {
        user.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: Callbacks

    /// - Returns: whether the request may be sent.
    private func begin() -> Bool {
        attempts += 1
        // A 417 says that the origin has not carried it out.
        if attempts == 1 || head.isProvisional { return true }
        fail(
            .networkConnectionLost,
            "the connection closed before an answer came; \(request.method) may have been carried out and is not sent again"
        )
        return false
    }

    private func readHeader(_ line: UnsafeRawBufferPointer) -> Int {
        time.progress()
        do {
            if try head.read(line), !head.isProvisional { handOutHead() }
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
        body.receive(decoder == nil ? response : response.decoded)
        news.append(self)
    }

    /// - Returns: the number of bytes when they were taken, else that the transfer has to pause, or to end.
    private func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        time.progress()
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
            decoder?.append(bytes)
            guard decode() else { return -1 }
        }
        return bytes.count
    }

    private func readUpload(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        time.progress()
        switch upload?.read(into: buffer) ?? .bytes(0) {
        case .bytes(let count): return count
        case .wait: return Curl.pauseTransfer
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

    /// Decodes what waits, as far as there is room.
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

    /// Goes on after a pause, when there is room for bytes, or there are bytes to send.
    ///
    /// - Returns: whether the exchange is over.
    func resume() -> Bool {
        time.progress()
        news.append(self)
        guard decode() else {
            finish()
            return true
        }
        if isReceived {
            if decoder?.hasInput != true { finish() }
            return decoder?.hasInput != true
        }
        // libcurl may call back at once, and pause again. It forgets a failure in such a call, and no bytes may follow that
        // would let it fail again.
        time.isWaiting = false
        _ = library.pause(easy, 0)
        if failure != nil { finish() }
        return failure != nil
    }

    /// libcurl is done.
    ///
    /// - Returns: whether the exchange is over; otherwise the reader has to make room for the bytes that wait.
    func complete(_ code: Int32) -> Bool {
        isReceived = true
        time.isWaiting = true
        if head.isProvisional { handOutHead() }
        if failure == nil, code != Curl.ok {
            let kind = URLError.Code(curlCode: code, certificateResult: library.certificateResult(easy))
            var text = String(cString: errorText)
            if text.isEmpty { text = library.message(code).map { String(cString: $0) } ?? "error \(code) of libcurl" }
            if kind == .serverCertificateHasUnknownRoot {
                text += "; to trust its authority, set certificateFile to a file with the authority's certificate"
            }
            fail(kind, text)
        }
        if failure == nil, head.response == nil {
            fail(.networkConnectionLost, "the connection was closed within the header")
        }
        if failure == nil, decoder?.hasInput == true { return false }
        finish()
        return true
    }

    private func finish() {
        if failure == nil {
            do {
                try decoder?.finish()
            } catch {
                fail(.networkConnectionLost, error.reason)
            }
        }
        body.finish(failure.map { .failure($0) } ?? .success(()))
    }

    /// Ends the exchange from outside.
    func abandon(_ error: any Error) { body.finish(.failure(error)) }

    private func fail(_ code: URLError.Code, _ reason: String) {
        if failure == nil { failure = URLError(code, url: request.url, reason) }
    }

    // MARK: Time-outs

    /// When the exchange has to be over if nothing happens, in nanoseconds of the monotonic clock. A transfer that waits
    /// for its reader is not idle.
    var deadline: UInt64 { time.moment }

    /// The error after the deadline.
    func timeoutError(now: UInt64) -> URLError { URLError(.timedOut, url: request.url, time.reason(now: now)) }
}

/// The transfers whose readers have to be woken once libcurl has given all that it has: one wake-up for header and body.
final class CurlNews {
    private var bodies: [CurlBody] = []

    func append(_ transfer: CurlTransfer) {
        if bodies.last !== transfer.body { bodies.append(transfer.body) }
    }

    func wakeReaders() {
        for body in bodies { body.wakeUp() }
        bodies.removeAll(keepingCapacity: true)
    }
}
