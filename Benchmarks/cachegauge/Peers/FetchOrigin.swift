// Invariant of the pointers: an address structure is lent for one call, with its length.

import Foundation
import GaugeKit
import Platform

/// An origin on a port of 127.0.0.1 that answers each request with the same bytes, with one thread per connection.
final class FetchOrigin: Sendable {
    let url: String
    private let listener: Int32

    /// - Parameter fields: `X`, with so many field lines beside the usual ones; `no-store`, for answers that may not be
    ///   stored; `ETag`, for a validator, by which a second request is answered with 304.
    init(bodyCount: Int, fields: [String: Int] = [:]) throws {
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
                bind(descriptor, $0, size) == 0 && listen(descriptor, 64) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isListening else { throw GaugeError("no port of 127.0.0.1 can be listened to: \(SystemError.last)") }
        url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/body"
        let control = fields["no-store"] == nil ? "max-age=60" : "no-store"
        var lines = "Cache-Control: \(control)\r\n"
        if fields["ETag"] != nil { lines += "ETag: \"1\"\r\n" }
        lines += (0..<(fields["X"] ?? 0)).map { "X-\($0): a\r\n" }.joined()
        let answers = Answers(
            whole: Array("HTTP/1.1 200 OK\r\nContent-Length: \(bodyCount)\r\n\(lines)\r\n".utf8)
                + [UInt8](repeating: 0x61, count: bodyCount),
            notModified: fields["ETag"].map { _ in Array("HTTP/1.1 304 Not Modified\r\n\(lines)\r\n".utf8) })
        Thread.detachNewThread {
            while case let connection = accept(descriptor, nil, nil), connection >= 0 {
                Thread.detachNewThread { Self.serve(connection, answers) }
            }
        }
    }

    private struct Answers {
        let whole: [UInt8]
        /// To a request with `If-None-Match`; `nil` if it has the whole answer, too.
        let notModified: [UInt8]?
    }

    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private static func serve(_ connection: Int32, _ answers: Answers) {
        var one: Int32 = 1
        setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout.size(ofValue: one)))
        var request = [UInt8](repeating: 0, count: 8_192)
        // A request of these benchmarks comes in one piece.
        while case let count = read(connection, &request, request.count), count > 0 {
            var answer = answers.whole
            if let notModified = answers.notModified, request[..<count].contains(text: "If-None-Match:") {
                answer = notModified
            }
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

extension ArraySlice<UInt8> {
    fileprivate func contains(text: String) -> Bool {
        indices.contains { self[$0...].starts(with: text.utf8) }
    }
}
