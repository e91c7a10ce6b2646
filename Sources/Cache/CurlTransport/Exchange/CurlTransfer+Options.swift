import HTTPCache
import Platform

/// The options of libcurl's handles, and the callbacks through which libcurl reaches a transfer.
extension CurlTransfer {
    /// Sets the options common to a session's exchanges.
    static func configure(
        _ easy: CurlLibrary.Handle, _ library: CurlLibrary, _ settings: TransportSettings,
        _ connections: CurlConnections
    ) {
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
        // Otherwise a cancelled name look-up would hold up the thread.
        library.set(easy, .quickExit, 1)
        library.set(easy, .idleTimeout, settings.idleTimeout)
        if !settings.keepsConnections { library.set(easy, .forbidReuse, 1) }
        if let file = settings.tls.certificateFile { library.set(easy, .certificateFile, file) }
        connections.watch(easy, library)
        library.set(easy, .write) { bytes, size, count, user in
            CurlTransfer.at(user)?.write(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
        }
        library.set(easy, .header) { bytes, size, count, user in
            CurlTransfer.at(user)?.readHeader(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
        }
        library.set(
            easy, .debug,
            debugging: { _, kind, text, count, user in
                guard kind == Curl.informationText else { return 0 }
                CurlTransfer.at(user)?.attempts.hear(UnsafeRawBufferPointer(start: text, count: count))
                return 0
            })
    }

    func configure() {
        let user = Unmanaged.passUnretained(self).toOpaque()
        library.set(easy, .url, request.url)
        library.set(easy, .errorBuffer, errorText)
        library.set(easy, .headerLines, headerLines)
        library.set(easy, .writeUser, user)
        library.set(easy, .headerUser, user)
        library.set(easy, .debugUser, user)
        settings.proxies?.apply(to: easy, library, isEncrypted: request.isEncrypted)
        if request.isEncrypted, !settings.tls.apply(to: easy, library, url: request.url) {
            refuse("\(library.version) cannot check pinned public keys; install one over OpenSSL, or pin none")
        }
        if let servers, !library.set(easy, .connectTo, servers) {
            refuse("\(library.version) cannot connect to another server than the URL's; install 7.49 or later")
        }
        askBeforeRequest(user)
        // Only messages show whether it may be sent again.
        if !request.isIdempotent, request.isEncrypted { listen() }
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

    /// Asks before a request is sent, the first time and again after a kept connection has broken.
    private func askBeforeRequest(_ user: UnsafeMutableRawPointer) {
        let isKnown = library.set(
            easy, .beforeRequest,
            beforeRequest: { user, address, _, port, localPort in
                CurlTransfer.at(user)?.begin(to: address, port: port, localPort: localPort) == true
                    ? Curl.requestGoesOn : Curl.requestIsAborted
            })
        library.set(easy, .beforeRequestUser, user)
        // Before 7.80 libcurl doesn't ask before a request, so we can't tell whether bytes already wait on a used
        // connection, or whether it sends a second time. Then each request gets a new connection.
        if attempts.isRepetition || !isKnown { library.set(easy, .freshConnect, 1) }
    }

    private static func at(_ user: UnsafeMutableRawPointer?) -> CurlTransfer? {
        user.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
    }
}
