import Foundation
import Platform

/// The worker's way to say something: one JSON line a reply.
struct WorkerChannel {
    private let output: Int32

    /// Speaks on a descriptor.
    init(_ output: Int32) { self.output = output }

    func send(_ reply: WorkerReply) throws {
        var rest = try JSONEncoder().encode(reply)[...]
        rest.append(UInt8(ascii: "\n"))
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
