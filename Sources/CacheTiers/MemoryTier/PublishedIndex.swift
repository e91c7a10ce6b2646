import CSupport
import Synchronization

/// Where readers find the index, and how they know that they saw all of it.
struct PublishedIndex: ~Copyable {
    /// The index in use.
    private let index: Atomic<UnsafeMutableRawPointer>
    /// Counts up before entries are moved within the index and again after it: odd while they are on the move.
    private let moves = Atomic<UInt64>(0)

    init(_ first: EntryIndex) { index = Atomic(first.address) }

    /// The node and the entry with this key. The caller keeps the writer from reclaiming what it finds.
    @inline(__always)
    borrowing func find(
        _ key: UnsafeRawBufferPointer, hash: KeyHash
    ) -> (node: UInt32, entry: Unmanaged<EntryStorage>)? {
        while true {
            let before = moves.load(ordering: .acquiring)
            if let found = EntryIndex(at: index.load(ordering: .acquiring)).find(key, hash: hash) { return found }
            // Nothing found means nothing there only if nothing was moved past the probe.
            if before & 1 == 0, moves.load(ordering: .acquiring) == before { return nil }
            cs_spin_pause()
        }
    }

    /// Puts another index in place of the one in use.
    borrowing func replace(by other: EntryIndex) { index.store(other.address, ordering: .releasing) }

    /// Runs `move`, which may move entries past readers.
    @inline(__always)
    borrowing func moving<Result>(_ move: () -> Result) -> Result {
        let before = moves.load(ordering: .relaxed)
        moves.store(before &+ 1, ordering: .releasing)
        let result = move()
        moves.store(before &+ 2, ordering: .releasing)
        return result
    }
}
