// Invariant of the pointers: the data's deallocator retains the bytes, so that their address stays valid, and
// nothing writes through it.

import HTTPCache

extension Data {
    /// The bytes, not copied: the data holds on to them.
    init(_ bytes: BodyBytes) {
        self = bytes.withBytes { buffer in
            guard let start = buffer.baseAddress, buffer.count > 0 else { return Data() }
            // The bytes are never written: Data copies before it changes bytes that it does not own alone.
            return Data(
                bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: buffer.count,
                deallocator: .custom { _, _ in withExtendedLifetime(bytes) {} })
        }
    }
}
