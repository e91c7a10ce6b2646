// Invariant of the pointer: the data's deallocator retains the bytes, so that their address stays valid.

import HTTPCache

extension Data {
    /// The bytes of a body, not copied, for the one reader of them or for all (`BodyStream.shared`): Foundation changes them
    /// in place where nothing else refers to the same `Data`.
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
    /// Bytes that were read from this stream; one `Data` for all readers that are given the same ones.
    func data(_ bytes: BodyBytes) -> Data { shared(bytes) { Data($0) } }
}
