import Foundation
import Platform

/// An origin over HTTP/2 and TLS that sends whatever frames a test wants, on a port of 127.0.0.1 that the system
/// chooses.
///
/// It acknowledges settings, opens the window again for the bytes that it has read, and follows the script for each
/// request.
public final class HTTP2Origin: Sendable {
    /// A step in serving a connection.
    public enum Step: Sendable {
        case send([UInt8])
        /// A record of TLS for each byte.
        case drip([UInt8])
        /// Reads frames until the request has ended.
        case readRequest
        /// Closes the connection; `tells` by an alert of TLS (RFC 8446, section 6.1).
        case close(tells: Bool)
        /// The peer sees `ECONNRESET`.
        case reset
        /// Waits until the test lets it go on.
        case wait(Hold)
        /// Tells the test that it has come this far.
        case call(@Sendable () -> Void)
    }

    /// Called with the number of a request, from 0 on, and its stream, on a thread of its connection.
    public typealias Script = @Sendable (Int, UInt32) -> [Step]

    /// `https://127.0.0.1:` and the port.
    public let base: String

    private let port: UInt16
    private let listener: Int32
    private let requests = Count()
    private let connections = Count()

    /// Begins to listen.
    ///
    /// - Parameter greeting: the first steps on a connection, in the place of its settings.
    public init(_ server: TLSServer, greeting: [Step] = [.send(HTTP2Frame.settings())], _ script: @escaping Script)
        throws
    {
        listener = try listeningSocket()
        port = boundPort(of: listener)
        base = "https://127.0.0.1:\(port)"
        serveEach(listener) { [requests, connections] descriptor in
            blockBrokenPipeSignal()
            guard let connection = TLSConnection(server, descriptor) else { return }
            connections.value.withLock { $0 += 1 }
            HTTP2Connection(connection, descriptor, requests, script).serve(greeting)
        }
    }

    /// Connections that were made, behind the handshake of TLS.
    public var connectionCount: Int { connections.value.withLock { $0 } }

    /// Requests that have come.
    public var requestCount: Int { requests.value.withLock { $0 } }

    /// Takes no more connections.
    public func stop() {
        shutdown(listener, shutdownBoth)
        if let waking = try? connectedSocket(to: port) { close(waking) }
    }
}

/// The thread of a connection.
private final class HTTP2Connection {
    private let connection: TLSConnection
    private let descriptor: Int32
    private let requests: Count
    private let script: HTTP2Origin.Script
    private var input: [UInt8] = []
    /// The stream of the request that is read.
    private var stream: UInt32 = 0
    private var hasEnded = false

    init(_ connection: TLSConnection, _ descriptor: Int32, _ requests: Count, _ script: @escaping HTTP2Origin.Script) {
        (self.connection, self.descriptor, self.requests, self.script) = (connection, descriptor, requests, script)
    }

    func serve(_ greeting: [HTTP2Origin.Step]) {
        guard perform(greeting), take("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8.count) != nil else { return }
        while let isRequest = readFrame() {
            guard isRequest else { continue }
            let number = requests.value.withLock { count in
                count += 1
                return count - 1
            }
            guard perform(script(number, stream)) else { return }
        }
    }

    /// - Returns: whether the connection goes on.
    private func perform(_ steps: [HTTP2Origin.Step]) -> Bool {
        for step in steps {
            switch step {
            case .send(let bytes): guard connection.write(bytes) else { return false }
            case .drip(let bytes): for byte in bytes { guard connection.write([byte]) else { return false } }
            case .readRequest: while !hasEnded { guard readFrame() != nil else { return false } }
            case .close(let tells):
                if tells { connection.close() }
                return false
            case .reset:
                var linger = linger(l_onoff: 1, l_linger: 0)
                setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
                return false
            case .wait(let hold): hold.wait()
            case .call(let call): call()
            }
        }
        return true
    }

    /// Reads a frame, and answers settings and data.
    ///
    /// - Returns: whether the header of a request is complete; `nil` when the peer has gone.
    private func readFrame() -> Bool? {
        guard let head = take(9) else { return nil }
        let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
        let (type, flags) = (head[3], head[4])
        guard take(length) != nil else { return nil }
        let number = head[5...].reduce(0) { $0 << 8 | UInt32($1) }
        let ends = flags & HTTP2Frame.endStream != 0
        switch type {
        case 0:
            if ends { hasEnded = true }
            guard length > 0 else { break }
            let windows = [0, number].flatMap { HTTP2Frame.windowUpdate(UInt32(length), stream: $0) }
            if !ends { guard connection.write(windows) else { return nil } }
        case 1:
            (stream, hasEnded) = (number, ends)
            return flags & HTTP2Frame.endHeaders != 0
        case 4 where flags & HTTP2Frame.acknowledgement == 0:
            guard connection.write(HTTP2Frame.frame(4, flags: HTTP2Frame.acknowledgement, stream: 0)) else {
                return nil
            }
        case 9: return flags & HTTP2Frame.endHeaders != 0
        default: break
        }
        return false
    }

    private func take(_ count: Int) -> [UInt8]? {
        while input.count < count {
            guard let part = connection.read(atMost: 65_536) else { return nil }
            input += part
        }
        defer { input.removeFirst(count) }
        return Array(input[..<count])
    }
}
