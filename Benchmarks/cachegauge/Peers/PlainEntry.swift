// Invariant of the pointers: `bytes` holds the key and the body behind it from `init` to `deinit`.

import Platform

/// What the plain caches hold: a key and a body in one allocation, which a caller keeps by reference, like a
/// `StoredEntry`.
///
/// `@unchecked Sendable`: the fields are constants, and the bytes are written in `init` alone, before anybody else has it.
final class PlainEntry: @unchecked Sendable {
    let hash: UInt64
    let cost: Int
    let bodyCount: Int
    private let keyCount: Int
    private let bytes: UnsafeMutableRawPointer

    /// Copies both.
    init(key: UnsafeRawBufferPointer, hash: UInt64, body: UnsafeRawBufferPointer, cost: Int) {
        self.hash = hash
        self.cost = cost
        keyCount = key.count
        bodyCount = body.count
        bytes = .allocate(byteCount: key.count + body.count, alignment: 16)
        if let key = key.baseAddress { bytes.copyMemory(from: key, byteCount: keyCount) }
        if let body = body.baseAddress { (bytes + keyCount).copyMemory(from: body, byteCount: bodyCount) }
    }

    deinit { bytes.deallocate() }

    var key: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: bytes, count: keyCount) }

    @inline(__always)
    func hasKey(_ other: UnsafeRawBufferPointer) -> Bool {
        guard keyCount == other.count, let start = other.baseAddress else { return false }
        return memcmp(bytes, start, keyCount) == 0
    }
}
