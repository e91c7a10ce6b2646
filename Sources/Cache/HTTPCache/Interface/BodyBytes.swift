/// A body's bytes in one growing piece of memory.
///
/// Invariants: `start` is allocated memory of `capacity` bytes, or `nil` while that is 0; the first `count` bytes are
/// initialised; the object frees the memory.
///
/// `@unchecked Sendable`: one owner at a time changes it, under its own lock (`SharedBody`, or a transport's body).
/// Once an owner hands it to readers, it no longer changes it.
package final class BodyBytes: @unchecked Sendable {
    private var start: UnsafeMutableRawPointer?
    private var capacity = 0
    package private(set) var count = 0

    /// No bytes, and room for `length`. The announced length is not trusted beyond 4 MiB.
    package init(expecting length: Int64 = 0) {
        if length > 0 { reserve(Int(min(length, 4 << 20))) }
    }

    deinit { start?.deallocate() }

    package var isEmpty: Bool { count == 0 }

    /// Adds bytes. Ends the process if there is no memory, like an array.
    package func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress, bytes.count > 0 else { return }
        if capacity - count < bytes.count { reserve(max(count + bytes.count, capacity * 2)) }
        start?.advanced(by: count).copyMemory(from: source, byteCount: bytes.count)
        count += bytes.count
    }

    package func removeFirst(_ dropped: Int) {
        let dropped = min(dropped, count)
        guard let start, dropped > 0 else { return }
        count -= dropped
        start.copyMemory(from: start + dropped, byteCount: count)
    }

    package func withBytes<Result>(_ read: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try read(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// A copy of the bytes from `first` on.
    package func copy(from first: Int) -> BodyBytes {
        let copy = BodyBytes(expecting: Int64(count - first))
        withBytes { copy.append(UnsafeRawBufferPointer(rebasing: $0[first...])) }
        return copy
    }

    private func reserve(_ wanted: Int) {
        let moved = UnsafeMutableRawPointer.allocate(byteCount: wanted, alignment: 16)
        if let start {
            moved.copyMemory(from: start, byteCount: count)
            start.deallocate()
        }
        start = moved
        capacity = wanted
    }
}

extension [UInt8] {
    package init(_ bytes: BodyBytes) { self = bytes.withBytes { [UInt8]($0) } }
}
