import Synchronization

/// Counts the moments at which records of the file begin to be overwritten, for readers without the log's lock.
///
/// A reader notes the count while it finds a record with the lock held, and reads the record without it. If the count is
/// the same afterwards, no write into an older record's place had begun by then, so what was read is not torn.
final class Overwriting: Sendable {
    private let begun = Atomic<UInt64>(0)

    /// The count; whatever was read before this call was read before the next overwriting if that is not counted.
    var count: UInt64 {
        @inline(__always) get {
            atomicMemoryFence(ordering: .acquiring)
            return begun.load(ordering: .relaxed)
        }
    }

    /// To be called before the first write, with the log's lock held.
    @inline(__always)
    func begin() {
        begun.store(begun.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
        atomicMemoryFence(ordering: .sequentiallyConsistent)
    }
}
