/// Bytes that two threads have to keep apart so as not to slow each other down: processors fetch lines of 64 bytes in
/// pairs, and those of Apple have lines of 128.
package let cacheLinePair = 128

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
