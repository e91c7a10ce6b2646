import Foundation
import HTTPCache
import HTTPSemantics
import LoopbackOrigin
import Platform
import Synchronization

/// A transport of our own over loopback sockets, for a sanitizer that cannot see into URLSession: one connection and one
/// thread a request, no redirections, no decoding.
///
/// `@unchecked Sendable`: the count is touched under the lock alone.
final class SocketTransport: Transport, @unchecked Sendable {
    private let lock = Lock()
    private var open = 0

    /// Sockets open now.
    var count: Int { lock.withLock { open } }

    func send(_ outgoing: OutgoingRequest) async throws -> IncomingResponse {
        guard let url = URL(string: outgoing.request.url), let port = url.port else { throw URLError(.badURL) }
        lock.withLock { open += 1 }
        let exchange = try SocketExchange(port: UInt16(port)) { [self] in lock.withLock { open -= 1 } }
        var head = "\(outgoing.request.method) \(url.path) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
        for field in outgoing.request.headerFields.fields { head += "\(field.name.rawName): \(field.value)\r\n" }
        return try await withTaskCancellationHandler {
            IncomingResponse(try await exchange.ask(head + "\r\n", outgoing.request.method), body: exchange)
        } onCancel: {
            exchange.cancel()
        }
    }
}

/// `@unchecked Sendable`: `buffer`, `left` and `framing` are touched by one step at a time, each on the one thread that
/// runs it; the engine asks for the next once it has the one before. The descriptor is closed with the last reference.
final class SocketExchange: IncomingBody, @unchecked Sendable {
    private struct Broken: Error {}
    private enum Framing { case length(Int), chunked, untilClose }

    private let descriptor: Int32
    private let onEnd: @Sendable () -> Void
    private let isCancelled = Atomic(false)
    private var buffer: [UInt8] = []
    private var framing = Framing.untilClose

    init(port: UInt16, onEnd: @escaping @Sendable () -> Void) throws {
        self.onEnd = onEnd
        do {
            descriptor = try connectedSocket(to: port)
        } catch {
            onEnd()
            throw error
        }
    }

    deinit {
        close(descriptor)
        onEnd()
    }

    func ask(_ head: String, _ method: String) async throws -> HTTPResponse {
        try await onThread { [self] in
            guard sendAll(Array(head.utf8), to: descriptor) else { throw Broken() }
            var lines: [String] = []
            while true {
                let line = try line()
                if line.isEmpty { break }
                lines.append(line)
            }
            let status = (lines.first ?? "").split(separator: " ")
            guard status.count >= 2, status[0] == "HTTP/1.1", let code = Int(status[1]), 200...599 ~= code else {
                throw Broken()
            }
            var fields = HTTPFields()
            for line in lines.dropFirst() {
                guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else { throw Broken() }
                let value = line[line.index(after: colon)...].drop { $0 == " " }
                fields.fields.append(.init(name: .init(String(line[..<colon])), value: String(value)))
            }
            if method == "HEAD" || code == 304 || code == 204 {
                framing = .length(0)
            } else if fields["Transfer-Encoding"] == "chunked" {
                framing = .chunked
            } else if let length = fields["Content-Length"] {
                guard let count = Int(length), count >= 0 else { throw Broken() }
                framing = .length(count)
            }
            return HTTPResponse(status: code, headerFields: fields)
        }
    }

    func next() async throws -> [UInt8]? {
        try await onThread { [self] in
            switch framing {
            case .length(0): return nil
            case .length(let left):
                guard try !buffer.isEmpty || more() else { throw Broken() }
                let part = Array(buffer.prefix(left))
                buffer.removeFirst(part.count)
                framing = .length(left - part.count)
                return part
            case .chunked:
                guard let count = Int(try line(), radix: 16) else { throw Broken() }
                while buffer.count < count + 2 { guard try more() else { throw Broken() } }
                let part = Array(buffer[..<count])
                buffer.removeFirst(count + 2)
                if count == 0 { framing = .length(0) }
                return count == 0 ? nil : part
            case .untilClose:
                guard try !buffer.isEmpty || more() else { return nil }
                defer { buffer = [] }
                return buffer
            }
        }
    }

    func cancel() {
        isCancelled.store(true, ordering: .releasing)
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Blocking work has no place on the threads that tasks share.
    private func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
            }
        } onCancel: {
            cancel()
        }
    }

    private func line() throws -> String {
        while true {
            if let end = buffer.firstIndex(of: 10) {
                defer { buffer.removeFirst(end + 1) }
                return String(decoding: buffer[..<end], as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            }
            guard try buffer.count < 1 << 20 && more() else { throw Broken() }
        }
    }

    /// Reads once; `false` at the end of the connection, which a reset and a cancellation are not: a body that only the
    /// end delimits would be torn by them (RFC 9112, 8).
    private func more() throws -> Bool {
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0, !isCancelled.load(ordering: .acquiring) else { throw Broken() }
            buffer += chunk[..<count]
            return count > 0
        }
    }
}
