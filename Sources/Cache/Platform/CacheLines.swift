// Invariant of the pointers: `allocateAlone` returns uninitialised memory for `count` values. The caller owns it, and
// calls `deallocateAlone` once no value is left in it.

/// How many bytes apart two threads' data must be to not slow each other down: processors fetch 64-byte lines in pairs,
/// and Apple's have lines of 128.
///
/// Inlined, because another module would have to call an accessor for a global variable.
@inlinable
@inline(__always)
package var cacheLinePair: Int { 128 }

extension UnsafeMutablePointer where Pointee: ~Copyable {
    /// Memory for `count` values, on cache lines of its own.
    package static func allocateAlone(count: Int = 1) -> UnsafeMutablePointer {
        let byteCount = (MemoryLayout<Pointee>.stride * count + cacheLinePair - 1) & ~(cacheLinePair - 1)
        return UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: cacheLinePair)
            .bindMemory(to: Pointee.self, capacity: count)
    }

    /// Frees what `allocateAlone` returned.
    package func deallocateAlone() { UnsafeMutableRawPointer(self).deallocate() }
}
