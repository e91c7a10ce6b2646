import Foundation
import Platform

/// An origin over HTTP/1.1 that sends whatever bytes a test wants, on a port of 127.0.0.1 that the system chooses: a
/// script a connection, begun when the header of the first request has been read.
public final class RawOrigin: Sendable {
    /// A step in serving a connection.
    public enum Step: Sendable {
        case send([UInt8])
        /// A packet for each byte.
        case drip([UInt8])
        /// The peer sees `ECONNRESET`; the last step.
        case reset
        /// Sends no more, and waits until the peer closes, or sends another request.
        case hang
        /// Reads another request; the last step if the peer closes instead.
        case readRequest
        /// Waits until the test lets it go on.
        case wait(Hold)
        /// Waits until the peer's system has acknowledged all bytes.
        case arrival
        /// Tells the test that it has come this far.
        case call(@Sendable () -> Void)
        /// Sends a ticket of TLS, bytes that are no data (RFC 8446, section 4.6.1).
        case ticket
        /// Sends an alert of TLS that no more data comes.
        case closeNotify
    }

    /// Called with the path of a request, on a thread of its connection.
    public typealias Script = @Sendable (String) -> [Step]

    /// `http://127.0.0.1:` or `https://127.0.0.1:` and the port.
    public let base: String

    private let connections = Count()
    private let requests = Count()
    private let port: UInt16
    private let listener: Int32
    private let script: Script

    /// Begins to listen.
    ///
    /// - Parameter server: for TLS.
    public init(_ server: TLSServer? = nil, _ script: @escaping Script) throws {
        self.script = script
        listener = try listeningSocket()
        port = boundPort(of: listener)
        base = "\(server == nil ? "http" : "https")://127.0.0.1:\(port)"
        serveEach(listener) { [connections, requests] descriptor in
            blockBrokenPipeSignal()
            let tls = server.map { TLSConnection($0, descriptor) }
            if let tls, tls == nil { return }
            connections.value.withLock { $0 += 1 }
            RawConnection(descriptor, tls ?? nil) { requests.value.withLock { $0 += 1 } }.serve(script)
        }
    }

    /// Connections that were made, behind the handshake of TLS.
    public var connectionCount: Int { connections.value.withLock { $0 } }

    /// Requests whose header has come.
    public var requestCount: Int { requests.value.withLock { $0 } }

    /// Takes no more connections.
    public func stop() {
        shutdown(listener, shutdownBoth)
        if let waking = try? connectedSocket(to: port) { close(waking) }
    }
}

/// The thread of a connection.
private struct RawConnection {
    private let descriptor: Int32
    private let tls: TLSConnection?
    private let onRequest: () -> Void

    init(_ descriptor: Int32, _ tls: TLSConnection?, onRequest: @escaping () -> Void) {
        (self.descriptor, self.tls, self.onRequest) = (descriptor, tls, onRequest)
    }

    func serve(_ script: RawOrigin.Script) {
        guard let path = nextPath() else { return }
        for step in script(path) {
            switch step {
            case .send(let bytes): guard write(bytes) else { return }
            case .drip(let bytes): for byte in bytes { guard write([byte]) else { return } }
            case .reset:
                var linger = linger(l_onoff: 1, l_linger: 0)
                setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
            case .hang: _ = readSome()
            case .readRequest: guard nextPath() != nil else { return }
            case .wait(let hold): hold.wait()
            case .arrival:
                while unacknowledgedBytes(descriptor) > 0 { usleep(1_000) }
            case .call(let call): call()
            case .ticket: tls?.sendTicket()
            case .closeNotify: tls?.close()
            }
        }
    }

    /// Reads a header, and the body unless that waits for an answer.
    private func nextPath() -> String? {
        var request: [UInt8] = []
        var end: Int?
        while end == nil {
            guard let part = readSome() else { return nil }
            request += part
            end = request.firstRange(of: "\r\n\r\n".utf8)?.upperBound
        }
        onRequest()
        let head = String(decoding: request.prefix(end ?? 0), as: UTF8.self).lowercased()
        let length = head.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }?.dropFirst(15)
        if !head.contains("\r\nexpect:"), let count = length.flatMap({ Int($0.drop { $0 == " " }) }) {
            while request.count < (end ?? 0) + count {
                guard let part = readSome() else { return nil }
                request += part
            }
        }
        let words = String(decoding: request.prefix { $0 != 13 }, as: UTF8.self).split(separator: " ")
        return words.count > 1 ? String(words[1]) : ""
    }

    private func write(_ bytes: [UInt8]) -> Bool { tls.map { $0.write(bytes) } ?? sendAll(bytes, to: descriptor) }

    private func readSome() -> ArraySlice<UInt8>? {
        if let tls { return tls.read(atMost: 4_096)?[...] }
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            return count > 0 ? chunk[..<count] : nil
        }
    }
}
