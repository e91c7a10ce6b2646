// Invariant of the pointers: the chunk lives as long as the call; only the bytes that were read into it are lent on.

import Foundation
import GaugeSupport
import Platform

/// The requests that a worker reads from its input.
package enum WorkerRequests {
    /// Calls a closure with each request until the input ends or the closure returns false.
    ///
    /// - Throws: an error of reading or decoding, and the errors of the closure.
    package static func forEach(from input: Int32, _ serve: (WorkerRequest) throws -> Bool) throws {
        var lines = LineBuffer()
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 4_096, alignment: 1)
        defer { chunk.deallocate() }
        while true {
            while let line = lines.next() {
                guard try serve(try JSONDecoder().decode(WorkerRequest.self, from: Data(line))) else { return }
            }
            let count = read(input, chunk.baseAddress, chunk.count)
            if count == 0 { return }
            if count < 0 && errno == EINTR { continue }
            guard count > 0, lines.pending < WorkerProtocol.longestLine else { throw SystemError.last }
            lines.append(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
        }
    }
}
