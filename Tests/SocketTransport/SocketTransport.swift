import Foundation
import HTTPCache
import HTTPSemantics
import LoopbackOrigin
import Platform

/// A transport as an application may write it, over plain sockets to this machine: one connection and one thread a
/// request, no TLS, no decoding. It uses nothing of the cache but its public declarations, and a sanitizer can see into
/// all of it.
public final class SocketTransport: Transport {
    private let open = Locked(0)

    /// A transport without connections.
    public init() {}

    /// Sockets open now.
    public var count: Int { open.withLock { $0 } }

    /// Sends method, fields and body.
    public func send(_ outgoing: OutgoingRequest) async throws -> IncomingResponse {
        guard let url = URLComponents(string: outgoing.request.url),
            let port = url.port.flatMap({ UInt16(exactly: $0) })
        else { throw SocketFailure("the URL names no port") }
        let path = url.percentEncodedPath + (url.percentEncodedQuery.map { "?\($0)" } ?? "")
        var head = Array("\(outgoing.request.method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n".utf8)
        for field in outgoing.request.headerFields.fields where field.name != "Content-Length" {
            head += Array("\(field.name.rawName): ".utf8) + field.valueBytes + Array("\r\n".utf8)
        }
        switch outgoing.body {
        case nil: break
        case .bytes(let bytes): head += Array("Content-Length: \(bytes.count)\r\n".utf8)
        case .stream: head += Array("Transfer-Encoding: chunked\r\n".utf8)
        }
        open.withLock { $0 += 1 }
        let socket = try ClientSocket(port: port, timeout: outgoing.timeout) { [self] in open.withLock { $0 -= 1 } }
        return try await withTaskCancellationHandler {
            try await socket.send(head + Array("Connection: close\r\n\r\n".utf8))
            switch outgoing.body {
            case nil: break
            case .bytes(let bytes): try await socket.send(bytes)
            case .stream(let stream, _):
                while let part = try await stream.next() {
                    let size = String(part.count, radix: 16)
                    try await socket.send(Array("\(size)\r\n".utf8) + part + Array("\r\n".utf8))
                }
                try await socket.send(Array("0\r\n\r\n".utf8))
            }
            let exchange = SocketExchange(socket)
            return IncomingResponse(try await exchange.head(isHead: outgoing.request.method == "HEAD"), body: exchange)
        } onCancel: {
            socket.shutDown()
        }
    }
}

/// Why a connection is of no use any more.
struct SocketFailure: Error {
    let reason: String
    init(_ reason: String) { self.reason = reason }
}
