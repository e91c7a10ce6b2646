import Platform
import Synchronization

/// A lock for one reader at a time that a waiting writer closes.
///
/// One word says whether a thread is inside, and alone ensures that there's at most one. The other counts writers that
/// want in, and keeps readers out meanwhile: a writer would have no chance against readers that come back within
/// nanoseconds.
struct ReaderGate: ~Copyable {
    private let isOccupied = Atomic<Bool>(false)
    private let closings = Atomic<UInt32>(Self.neverOpened)

    private static let neverOpened: UInt32 = 1 << 31

    /// Goes in, unless another thread is inside or the gate is closed.
    @inline(__always)
    borrowing func tryEnter() -> Bool {
        guard isEntered() else { return false }
        if closings.load(ordering: .relaxed) == 0 { return true }
        leave()
        return false
    }

    /// Waits until no thread is inside and the gate is open, and goes in.
    borrowing func waitToEnter() {
        var backoff = SpinBackoff()
        while closings.load(ordering: .relaxed) != 0 || !tryEnter() { backoff.wait() }
    }

    /// Leaves. The next thread inside sees the writes of this one.
    @inline(__always)
    borrowing func leave() { isOccupied.store(false, ordering: .releasing) }

    @inline(__always)
    private borrowing func isEntered() -> Bool {
        isOccupied.compareExchange(
            expected: false, desired: true, successOrdering: .acquiring, failureOrdering: .relaxed
        ).exchanged
    }

    // MARK: For the writer

    /// Whether the gate has been closed since it was made.
    var isNew: Bool { closings.load(ordering: .relaxed) & Self.neverOpened != 0 }

    /// Opens a new gate, from inside, so that every reader that enters later sees what its opener has seen.
    borrowing func openFirst() {
        close()
        closings.wrappingSubtract(Self.neverOpened, ordering: .relaxed)
        open()
    }

    /// Whether no thread is inside at this moment.
    borrowing func isFree() -> Bool { !isOccupied.load(ordering: .relaxed) }

    /// Keeps readers out, waits until the one inside has left, and goes in.
    borrowing func close() {
        closings.wrappingAdd(1, ordering: .relaxed)
        var backoff = SpinBackoff()
        while !isEntered() { backoff.wait() }
    }

    /// Leaves, and lets readers in, unless other writers want in.
    borrowing func open() {
        leave()
        closings.wrappingSubtract(1, ordering: .relaxed)
    }

    /// Opens the gate and forgets the threads that waited for it, which don't exist in a forked child.
    borrowing func resetInChild() {
        closings.store(closings.load(ordering: .relaxed) & Self.neverOpened, ordering: .relaxed)
        leave()
    }
}
