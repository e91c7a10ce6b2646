// Invariant of the pointers: an address structure is lent for one call, with its length.

import Foundation
import GaugeKit
import Platform

/// An origin on a port of 127.0.0.1 that answers each request with the same bytes, with one thread per connection.
final class FetchOrigin: Sendable {
    let url: String
    private let listener: Int32

    /// - Parameter fieldCount: field lines beside the two in every answer.
    init(bodyCount: Int, fieldCount: Int = 0) throws {
        #if canImport(Darwin)
        let stream = SOCK_STREAM
        #else
        let stream = Int32(SOCK_STREAM.rawValue)
        #endif
        listener = socket(AF_INET, stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (descriptor, size) = (listener, length)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isListening else { throw GaugeError("no port of 127.0.0.1 can be listened to: \(SystemError.last)") }
        url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/body"
        let fields = (0..<fieldCount).map { "X-\($0): a\r\n" }.joined()
        let head = "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: \(bodyCount)\r\n\(fields)\r\n"
        let answer = Array(head.utf8) + [UInt8](repeating: 0x61, count: bodyCount)
        Thread.detachNewThread {
            while case let connection = accept(descriptor, nil, nil), connection >= 0 {
                Thread.detachNewThread { Self.serve(connection, answer) }
            }
        }
    }

    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private static func serve(_ connection: Int32, _ answer: [UInt8]) {
        var one: Int32 = 1
        setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout.size(ofValue: one)))
        var request = [UInt8](repeating: 0, count: 8_192)
        // A request of these benchmarks comes in one piece.
        while read(connection, &request, request.count) > 0 {
            var sent = 0
            while sent < answer.count {
                let count = answer.withUnsafeBytes {
                    write(connection, $0.baseAddress.map { $0 + sent }, $0.count - sent)
                }
                guard count > 0 else { break }
                sent += count
            }
        }
        close(connection)
    }
}
