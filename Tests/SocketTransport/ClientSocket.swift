import Foundation
import LoopbackOrigin
import Platform
import Synchronization

/// A connection to this machine, read through a buffer.
///
/// `@unchecked Sendable`: `buffer` and `start` are touched by one call at a time, each on the one thread that runs it.
/// The descriptor is closed with the last reference.
final class ClientSocket: @unchecked Sendable {
    private let descriptor: Int32
    private let onEnd: @Sendable () -> Void
    private let isShutDown = Atomic(false)
    private var buffer: [UInt8] = []
    private var start = 0

    /// - Parameter timeout: seconds after which a call that reads nothing fails; `nil` for no limit.
    init(port: UInt16, timeout: Double?, onEnd: @escaping @Sendable () -> Void) throws {
        self.onEnd = onEnd
        do {
            descriptor = try connectedSocket(to: port)
            if let timeout {
                var limit = timeval(
                    tv_sec: Int(timeout), tv_usec: .init(timeout.truncatingRemainder(dividingBy: 1) * 1e6))
                setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            }
        } catch {
            onEnd()
            throw error
        }
    }

    deinit {
        close(descriptor)
        onEnd()
    }

    func shutDown() {
        isShutDown.store(true, ordering: .releasing)
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    func send(_ bytes: [UInt8]) async throws {
        try await onThread { [self] in
            guard sendAll(bytes, to: descriptor) else { throw SocketFailure("the connection is closed") }
        }
    }

    /// A line without its end.
    func line() async throws -> [UInt8] {
        try await onThread { [self] in
            var searched = start
            while true {
                if let end = buffer[searched...].firstIndex(of: 10) {
                    var line = buffer[start..<end]
                    start = end + 1
                    if line.last == 13 { line.removeLast() }
                    return Array(line)
                }
                searched = buffer.count
                guard buffer.count - start < 1 << 20 else { throw SocketFailure("a line is too long") }
                let moved = start
                guard try more() else { throw SocketFailure("the connection closed within a line") }
                searched -= moved - start
            }
        }
    }

    /// Some bytes; `nil` at the end of the connection.
    func take(upTo count: Int) async throws -> [UInt8]? {
        try await onThread { [self] in
            guard try start < buffer.count || more() else { return nil }
            let part = Array(buffer[start...].prefix(count))
            start += part.count
            return part
        }
    }

    func take(exactly count: Int) async throws -> [UInt8] {
        try await onThread { [self] in
            while buffer.count - start < count {
                guard try more() else { throw SocketFailure("the body is cut") }
            }
            defer { start += count }
            return Array(buffer[start..<start + count])
        }
    }

    /// Blocking work has no place on the threads that tasks share.
    private func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
            }
        } onCancel: {
            shutDown()
        }
    }

    /// Reads once; `false` at the end of the connection, which a reset and a cancellation are not: a body that only the
    /// end delimits would be torn by them (RFC 9112, section 8).
    private func more() throws -> Bool {
        buffer.removeFirst(start)
        start = 0
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { throw URLError(.timedOut) }
            guard count >= 0, !isShutDown.load(ordering: .acquiring) else {
                throw SocketFailure("the connection broke")
            }
            buffer += chunk[..<count]
            return count > 0
        }
    }
}
