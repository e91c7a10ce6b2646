import Foundation
import Platform

/// Writes a worker's replies, one JSON line each.
package struct WorkerChannel {
    private let output: Int32

    /// Writes to a file descriptor.
    package init(_ output: Int32) { self.output = output }

    package func send(_ reply: WorkerReply) throws {
        var rest = try JSONEncoder().encode(reply) + [UInt8(ascii: "\n")]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
            if written > 0 {
                rest = rest.dropFirst(written)
            } else if errno != EINTR {
                throw SystemError.last
            }
        }
    }
}
