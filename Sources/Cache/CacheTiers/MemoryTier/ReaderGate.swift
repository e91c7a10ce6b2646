import Platform
import Synchronization

/// Lets one reader in at a time, and closes for a writer that has to go in.
///
/// One word says whether a thread is inside, and alone ensures that there is at most one. Another counts the writers that
/// want in, and keeps readers out meanwhile: without it a writer would have no chance against readers that come back within
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

    /// Leaves. Called by the thread inside; its writes are visible to the next thread that goes in.
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

    /// Opens a new gate. From inside: so every reader that goes in sees what its opener has seen, not the opener alone.
    borrowing func openFirst() {
        close()
        closings.wrappingSubtract(Self.neverOpened, ordering: .relaxed)
        open()
    }

    /// Whether no thread is inside at this moment.
    borrowing func isFree() -> Bool { !isOccupied.load(ordering: .relaxed) }

    /// Closes the gate, waits until the reader has left, and goes in.
    borrowing func close() {
        closings.wrappingAdd(1, ordering: .relaxed)
        var backoff = SpinBackoff()
        while !isEntered() { backoff.wait() }
    }

    /// Leaves, and opens the gate, unless other writers want it closed.
    borrowing func open() {
        leave()
        closings.wrappingSubtract(1, ordering: .relaxed)
    }

    /// Opens the gate and forgets the threads that waited for it; they do not exist in a forked child.
    borrowing func resetInChild() {
        closings.store(closings.load(ordering: .relaxed) & Self.neverOpened, ordering: .relaxed)
        leave()
    }
}
