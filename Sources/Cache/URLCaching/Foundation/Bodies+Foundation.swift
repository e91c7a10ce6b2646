// Invariants of the pointers: the stream is given the count of the buffer, and says how many bytes it has set. The
// data's deallocator retains the bytes, so their address stays valid.

import HTTPCache

extension RequestBody {
    init?(_ request: URLRequest) {
        if let body = request.httpBody {
            self = .bytes([UInt8](body))
        } else if let stream = request.httpBodyStream {
            self = .stream(InputStreamBody(stream), length: request.statedBodyLength)
        } else {
            return nil
        }
    }
}

extension URLRequest {
    /// The body's length by `Content-Length`; `nil` if that says none.
    var statedBodyLength: Int64? {
        value(forHTTPHeaderField: "Content-Length").flatMap { Int64($0) }.flatMap { $0 < 0 ? nil : $0 }
    }
}

/// A request's body from an `InputStream`, read once.
///
/// `@unchecked Sendable`: only one call of `next` at a time touches the stream, as the protocol promises.
final class InputStreamBody: RequestBodyStream, @unchecked Sendable {
    let stream: InputStream
    private let onRead: (@Sendable (Int) async -> Void)?
    private var isOpen = false

    /// - Parameter onRead: called with the number of bytes of each part before the transport gets it.
    init(_ stream: InputStream, onRead: (@Sendable (Int) async -> Void)? = nil) {
        self.stream = stream
        self.onRead = onRead
    }

    func next() async throws -> [UInt8]? {
        // Reading may block, which the threads that tasks share must not.
        let bytes: [UInt8]? = try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result { try self.read() }) }
        }
        if let bytes { await onRead?(bytes.count) }
        return bytes
    }

    private func read() throws -> [UInt8]? {
        if !isOpen {
            guard stream.streamStatus == .notOpen else {
                throw URLError(
                    .requestBodyStreamExhausted, url: "",
                    "httpBodyStream was read before, for instance for the request that was redirected; set httpBody, "
                        + "which can be sent again")
            }
            stream.open()
            isOpen = true
        }
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, initialized in
            guard let start = buffer.baseAddress else { return }
            count = stream.read(start, maxLength: buffer.count)
            initialized = max(count, 0)
        }
        guard count >= 0 else { throw stream.streamError ?? URLError(.cannotOpenFile) }
        if count == 0 { stream.close() }
        return count == 0 ? nil : bytes
    }
}

extension Data {
    /// The bytes of a body, not copied, for their only reader or for all of them (`BodyStream.shared`): Foundation
    /// changes them in place if nothing else refers to the same `Data`.
    init(_ bytes: BodyBytes) {
        self = bytes.withBytes { buffer in
            guard let start = buffer.baseAddress, buffer.count > 0 else { return Data() }
            return Data(
                bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: buffer.count,
                deallocator: .custom { _, _ in withExtendedLifetime(bytes) {} })
        }
    }
}

extension BodyStream {
    /// Bytes read from this stream; one `Data` for all readers that get the same ones.
    func data(_ bytes: BodyBytes) -> Data { shared(bytes) { Data($0) } }
}
