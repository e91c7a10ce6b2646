import CSupport
import Platform

/// A connection that libcurl has open. Only the worker's thread uses it.
final class CurlConnection {
    fileprivate let socket: Int32
    fileprivate var localPort: Int32 = 0
    fileprivate var isOpen = true
    /// How many requests libcurl was about to send on it.
    var requestCount = 0
    /// It has answered by HTTP/1, one request after another. In HTTP/2 no frame can answer a request that is not sent
    /// yet.
    var isHTTP1 = false

    fileprivate init(_ socket: Int32) { self.socket = socket }

    /// How many bytes have come and are not read yet.
    var unreadCount: Int { isOpen ? Int(cs_unread_bytes(socket)) : 0 }

    /// Counts of bytes since the connection was made; `nil` if the system does not say.
    var byteCounts: (received: UInt64, read: UInt64)? {
        var (received, read): (UInt64, UInt64) = (0, 0)
        return isOpen && cs_bytes_received(socket, &received, &read) ? (received, read) : nil
    }
}

/// The connections that a worker's libcurl has open. libcurl does not show them, and identifies a connection by its
/// ports.
///
/// libcurl has this object's address, unretained, and calls it on the worker's thread, last while the multi handle is
/// destroyed. The worker keeps it longer than that.
final class CurlConnections {
    private var open: [CurlConnection] = []

    /// Makes libcurl report the connections it opens for a handle.
    func watch(_ easy: CurlLibrary.Handle, _ library: CurlLibrary) {
        let user = Unmanaged.passUnretained(self).toOpaque()
        library.set(easy, .openedUser, user)
        library.set(
            easy, .opened,
            opened: { user, socket, _ in
                // Otherwise programs that the application starts would keep the connection open.
                _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
                CurlConnections.at(user)?.open.append(CurlConnection(socket))
                return 0
            })
        library.set(easy, .closeUser, user)
        library.set(
            easy, .close,
            closing: { user, socket in
                CurlConnections.at(user)?.forget(socket)
                return close(socket)
            })
    }

    /// The connection between these ends; `nil` if libcurl has not reported it.
    func connection(to address: UnsafePointer<CChar>?, port: Int32, localPort: Int32) -> CurlConnection? {
        var found: CurlConnection?
        for connection in open {
            if connection.localPort == 0 { connection.localPort = cs_local_port(connection.socket) }
            guard connection.localPort == localPort else { continue }
            // Two connections to different servers may have the same local port.
            if found == nil || address.map({ cs_is_connected_to(connection.socket, $0, port) }) == true {
                found = connection
            }
        }
        return found
    }

    private func forget(_ socket: Int32) {
        for connection in open where connection.socket == socket { connection.isOpen = false }
        open.removeAll { $0.socket == socket }
    }

    private static func at(_ user: UnsafeMutableRawPointer?) -> CurlConnections? {
        user.map { Unmanaged<CurlConnections>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// A session's easy handles: each has the options common to all exchanges, and is used for one.
///
/// Making and destroying one takes some microseconds each, so both are done while the thread would only wait: `prepare`
/// makes the next one ahead.
///
/// Used only by the worker's thread, and destroyed with the worker.
struct CurlHandles: ~Copyable {
    private let library: CurlLibrary
    private let settings: TransportSettings
    private let connections: CurlConnections
    private var next: CurlLibrary.Handle?
    /// They own memory whose address their handles have.
    private var used: [CurlTransfer] = []

    init(_ library: CurlLibrary, _ settings: TransportSettings, _ connections: CurlConnections) {
        self.library = library
        self.settings = settings
        self.connections = connections
    }

    deinit {
        for transfer in used { library.destroyEasy(transfer.easy) }
        if let next { library.destroyEasy(next) }
    }

    /// A handle; `nil` if there is no memory for it.
    mutating func take() -> CurlLibrary.Handle? { next.take() ?? make() }

    /// Takes the handle of a transfer that is no longer in a multi handle. It is not used again: libcurl 7.88 keeps a
    /// pointer to an exchange's last header line, and follows it if the next exchange begins with a folded line.
    mutating func retire(_ transfer: CurlTransfer) {
        used.append(transfer)
        // A thread that always has work would keep them all.
        if used.count >= 16 { destroyUsed() }
    }

    var usedCount: Int { used.count }

    /// Does the work no exchange waits for.
    mutating func prepare() {
        destroyUsed()
        if next == nil { next = make() }
    }

    private mutating func destroyUsed() {
        for transfer in used { library.destroyEasy(transfer.easy) }
        used.removeAll(keepingCapacity: true)
    }

    private func make() -> CurlLibrary.Handle? {
        guard let easy = library.makeEasy() else { return nil }
        CurlTransfer.configure(easy, library, settings, connections)
        return easy
    }
}
