import CSupport
import Synchronization

extension EntryStorage {
    /// The number of the entry in the memory tier that holds it, 0 before it enters one. Beside the key, so that a reader
    /// that has compared the key has the number in its cache.
    ///
    /// Invariant: only holders of the tier's lock set it. A reader that finds the entry meanwhile gets the number that the
    /// entry has, had, or is about to have.
    @inline(__always)
    var node: UInt32 {
        get { withUnsafeMutablePointerToHeader { $0.node.pointee.load(ordering: .relaxed) } }
        set { withUnsafeMutablePointerToHeader { $0.node.pointee.store(newValue, ordering: .relaxed) } }
    }

    /// Begins to load the end of the header: stripe, node and lengths.
    @inline(__always)
    func prefetchEnd() { withUnsafeMutablePointerToHeader { cs_prefetch($0.stripe) } }

    /// Begins to load what lies behind the allocation: the allocator reads it when the allocation is freed.
    @inline(__always)
    func prefetchBehind() {
        withUnsafeMutablePointers { header, bytes in cs_prefetch(bytes + Self.room(for: header.pointee.byteCount)) }
    }

    /// The stripe of the thread that stored the entry, in the memory tier that holds it: that thread frees its memory.
    /// Beside the lengths, which are read when the entry goes.
    ///
    /// Invariant: only holders of the tier's lock use it.
    @inline(__always)
    var stripe: Int {
        get { withUnsafeMutablePointerToHeader { Int($0.stripe.pointee.load(ordering: .relaxed)) } }
        set {
            withUnsafeMutablePointerToHeader {
                $0.stripe.pointee.store(UInt32(truncatingIfNeeded: newValue), ordering: .relaxed)
            }
        }
    }
}
