import CSupport

/// The heap of this process.
package enum HeapMemory {
    /// Bytes in use; `nil` where the C library does not report them.
    package static var bytesInUse: Int? {
        let bytes = cs_heap_bytes_in_use()
        return bytes > 0 ? Int(bytes) : nil
    }
}
