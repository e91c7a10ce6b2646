// Invariant of the pointers: `allocateAlone` gives uninitialised memory for `count` values that belongs to the
// caller, who gives it back with `deallocateAlone` once no value is left in it.

/// Bytes by which data of two threads have to be apart so that they do not slow each other down: processors fetch lines of
/// 64 bytes in pairs, and those of Apple have lines of 128.
///
/// Inlined: as a global variable it would be looked up at each use in another module, by a call.
@inlinable
@inline(__always)
package var cacheLinePair: Int { 128 }

extension UnsafeMutablePointer where Pointee: ~Copyable {
    /// Memory for `count` values that shares no cache line with anything else.
    package static func allocateAlone(count: Int = 1) -> UnsafeMutablePointer {
        let byteCount = (MemoryLayout<Pointee>.stride * count + cacheLinePair - 1) & ~(cacheLinePair - 1)
        return UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: cacheLinePair)
            .bindMemory(to: Pointee.self, capacity: count)
    }

    /// Gives back what `allocateAlone` gave.
    package func deallocateAlone() { UnsafeMutableRawPointer(self).deallocate() }
}
