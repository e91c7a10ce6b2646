import Foundation
import Platform

/// An origin that sends whatever bytes a test wants, on a port of 127.0.0.1 that the system chooses: one request a
/// connection, read up to the end of its header.
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
    }

    /// Called with the path of a request, on a thread of its connection.
    public typealias Script = @Sendable (String) -> [Step]

    /// `http://127.0.0.1:` and the port.
    public let base: String

    private let port: UInt16
    private let listener: Int32
    private let script: Script

    /// Begins to listen.
    public init(_ script: @escaping Script) throws {
        self.script = script
        listener = try listeningSocket()
        port = boundPort(of: listener)
        base = "http://127.0.0.1:\(port)"
        serveEach(listener) { Self.serve($0, script) }
    }

    /// Takes no more connections.
    public func stop() {
        shutdown(listener, shutdownBoth)
        if let waking = try? connectedSocket(to: port) { close(waking) }
    }

    private static func serve(_ descriptor: Int32, _ script: Script) {
        var request: [UInt8] = []
        while !request.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard let part = readSome(descriptor) else { return }
            request += part
        }
        let words = String(decoding: request.prefix { $0 != 13 }, as: UTF8.self).split(separator: " ")
        for step in script(words.count > 1 ? String(words[1]) : "") {
            switch step {
            case .send(let bytes): guard sendAll(bytes, to: descriptor) else { return }
            case .drip(let bytes): for byte in bytes { guard sendAll([byte], to: descriptor) else { return } }
            case .reset:
                var linger = linger(l_onoff: 1, l_linger: 0)
                setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
            case .hang: _ = readSome(descriptor)
            }
        }
    }

    private static func readSome(_ descriptor: Int32) -> ArraySlice<UInt8>? {
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            return count > 0 ? chunk[..<count] : nil
        }
    }
}
