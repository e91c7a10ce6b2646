/// Numbers of libcurl's binary interface (curl/curl.h and curl/multi.h).
package enum Curl {
    /// `size_t f(char *bytes, size_t size, size_t count, void *user)`: read, write and header callbacks.
    package typealias DataCallback =
        @convention(c) (UnsafeMutablePointer<UInt8>?, Int, Int, UnsafeMutableRawPointer?) -> Int
    /// `int f(void *user, curl_off_t offset, int origin)`.
    package typealias SeekCallback = @convention(c) (UnsafeMutableRawPointer?, Int64, Int32) -> Int32

    /// `int f(void *user, char *remote, char *local, int remotePort, int localPort)`.
    package typealias RequestCallback =
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?, Int32, Int32
        ) -> Int32

    /// `int f(void *user, curl_socket_t socket, curlsocktype purpose)`.
    package typealias OpenedCallback = @convention(c) (UnsafeMutableRawPointer?, Int32, Int32) -> Int32
    /// `int f(void *user, curl_socket_t socket)`, which must close it.
    package typealias CloseCallback = @convention(c) (UnsafeMutableRawPointer?, Int32) -> Int32
    /// `int f(CURL *easy, curl_infotype kind, char *text, size_t count, void *user)`.
    package typealias DebugCallback =
        @convention(c) (
            UnsafeMutableRawPointer?, Int32, UnsafeMutablePointer<UInt8>?, Int, UnsafeMutableRawPointer?
        ) -> Int32

    /// Options that take a `long`.
    package enum LongOption: Int32 {
        case verbose = 41
        case noBody = 44
        case upload = 46
        case freshConnect = 74
        case forbidReuse = 75
        case httpVersion = 84
        case bufferSize = 98
        case noSignal = 99
        case connectTimeoutMilliseconds = 156
        case contentDecoding = 158
        case protocols = 181
        case pathAsIs = 234
        case suppressConnectHeaders = 265
        case allowHTTP09 = 285
        case idleTimeout = 288
        case quickExit = 322
    }

    /// Options that take a `curl_off_t`.
    package enum OffsetOption: Int32 {
        case uploadSize = 30115
    }

    /// Options that take a pointer to data.
    package enum PointerOption: Int32 {
        case writeUser = 10001
        case url = 10002
        case proxy = 10004
        case readUser = 10009
        case errorBuffer = 10010
        case headerLines = 10023
        case clientCertificate = 10025
        case keyPassword = 10026
        case headerUser = 10029
        case method = 10036
        case certificateFile = 10065
        case clientKey = 10087
        case debugUser = 10095
        case openedUser = 10149
        case seekUser = 10168
        case exceptedHosts = 10177
        case closeUser = 10209
        case pinnedPublicKey = 10230
        case connectTo = 10243
        case beforeRequestUser = 10313
        case protocolNames = 10318
    }

    /// Options that take a pointer to a function.
    package enum FunctionOption: Int32 {
        case write = 20011
        case read = 20012
        case header = 20079
        case debug = 20094
        case opened = 20148
        case seek = 20167
        case close = 20208
        case beforeRequest = 20312
    }

    /// Moments of a transfer, microseconds since its beginning (`CURLINFO_..._TIME_T`, 7.61).
    package enum Moment: Int32 {
        case end = 0x60_0032
        case nameLookedUp = 0x60_0033
        case connected = 0x60_0034
        case requestBegun = 0x60_0035
        case responseBegun = 0x60_0036
        case secured = 0x60_0038
    }

    /// What a transfer tells as a `long`.
    package enum Number: Int32 {
        /// As the TLS library numbers the outcome of checking the server's certificate.
        case certificateResult = 0x20_000D
        /// Connections that were made for it.
        case newConnections = 0x20_001A
        /// Of HTTP: 2 is 1.1, 3 is 2.
        case version = 0x20_002E
    }

    /// Options of a multi handle that take a `long`.
    package enum MultiOption: Int32 {
        case keptConnections = 6
        case connectionsPerHost = 7
    }

    package static let ok: Int32 = 0
    /// The errors that mean a lost connection if no byte of an answer has come: sending, receiving and HTTP/2 errors,
    /// an early end, and no answer at all.
    package static let connectionLost: Set<Int32> = [16, 18, 52, 55, 56]
    /// `CURLE_HTTP2_STREAM`.
    package static let streamFailed: Int32 = 92
    /// `CURL_GLOBAL_ALL`.
    package static let initializeAll = 3
    /// `CURL_HTTP_VERSION_2TLS`: HTTP/2 over TLS if the server has it, else HTTP/1.1.
    package static let http2OverTLS = 4
    /// `CURLPROTO_HTTP | CURLPROTO_HTTPS`.
    package static let httpAndHTTPS = 3
    /// `CURLMSG_DONE`.
    package static let transferDone: Int32 = 1
    /// `CURLINFO_PRIMARY_IP`.
    package static let remoteAddress: Int32 = 0x10_0020
    /// `CURLINFO_TEXT`, a kind of debug message.
    package static let informationText: Int32 = 0
    /// `CURL_ERROR_SIZE`.
    package static let errorBufferSize = 256

    /// `CURL_WRITEFUNC_PAUSE` and `CURL_READFUNC_PAUSE`.
    package static let pauseTransfer = 0x1000_0001
    /// `CURL_READFUNC_ABORT`.
    package static let abortReading = 0x1000_0000
    /// `CURL_PREREQFUNC_OK` and `CURL_PREREQFUNC_ABORT`.
    package static let requestGoesOn: Int32 = 0
    package static let requestIsAborted: Int32 = 1
    /// `CURL_SEEKFUNC_OK` and `CURL_SEEKFUNC_FAIL`.
    package static let seekSucceeded: Int32 = 0
    package static let seekFailed: Int32 = 1
}
