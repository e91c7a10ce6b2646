import Synchronization

/// What the callers of one thread hold of an entry that was found, in place of the entry itself: so hits on several
/// threads count their references to one entry on cache lines of their own, each thread's leases, and none waits for
/// another's.
///
/// A lease does not hold the entry as long as the tier does, which sees to it that it takes a reference (`own`) before
/// the tier lets go (`LeasePool`).
final class EntryLease: Sendable {
    /// The entry's address; the lowest bit is set when the lease holds a reference to it. Atomic for the sake of the last
    /// holder, who may be any thread.
    private let word = Atomic<UInt>(0)

    private static let isOwner: UInt = 1

    /// Stands for `entry` from now on. Nobody holds the lease, and it is no owner.
    @inline(__always)
    func begin(_ entry: Unmanaged<EntryStorage>) {
        word.store(UInt(bitPattern: entry.toOpaque()), ordering: .relaxed)
    }

    /// Takes a reference to the entry, until the lease goes. The entry is alive; the lease is no owner yet.
    func own() {
        guard let entry else { return }
        _ = entry.retain()
        word.store(UInt(bitPattern: entry.toOpaque()) | Self.isOwner, ordering: .relaxed)
    }

    private var entry: Unmanaged<EntryStorage>? {
        UnsafeRawPointer(bitPattern: word.load(ordering: .relaxed) & ~Self.isOwner).map { .fromOpaque($0) }
    }

    deinit {
        if word.load(ordering: .relaxed) & Self.isOwner != 0 { entry?.release() }
    }
}
