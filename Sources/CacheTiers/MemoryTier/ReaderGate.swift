import Platform
import Synchronization

/// Lets one reader in at a time, and lets a writer wait until whoever is inside has left, without keeping the next one
/// out.
///
/// One word, odd while a reader is inside, that counts up with each who comes and goes. A writer waits for a change of an
/// odd word, which the reader makes when it leaves, however soon another follows: waiting for the moment at which nobody
/// is inside has no end against readers who come back within nanoseconds.
struct ReaderGate: ~Copyable {
    private let word = Atomic<UInt>(0)

    /// Waits until nobody is inside, and goes in.
    @inline(__always)
    borrowing func enter() {
        if !tryEnter() { waitToEnter() }
    }

    /// Leaves; by the reader inside.
    @inline(__always)
    borrowing func leave() { word.store(word.load(ordering: .relaxed) &+ 1, ordering: .releasing) }

    @inline(__always)
    private borrowing func tryEnter() -> Bool {
        let seen = word.load(ordering: .relaxed)
        return seen & 1 == 0
            && word.compareExchange(
                expected: seen, desired: seen &+ 1, successOrdering: .acquiring, failureOrdering: .relaxed
            ).exchanged
    }

    @inline(never)
    private borrowing func waitToEnter() {
        var patience = Patience()
        while !tryEnter() { patience.wait() }
    }

    /// Whether nobody is inside. If so, what readers did inside has happened before this returns, and what the caller did
    /// before has happened before anybody else comes in.
    borrowing func isFree() -> Bool { seen() & 1 == 0 }

    /// The word, by an addition of nothing: a read alone would not order the caller's writes before the next reader's
    /// reads.
    @inline(__always)
    private borrowing func seen() -> UInt { word.wrappingAdd(0, ordering: .acquiringAndReleasing).oldValue }

    /// Returns when nobody is left inside who was there at the call. What a reader did inside has happened before this
    /// returns; what the caller did before has happened before anybody else comes in.
    borrowing func waitForReader() {
        let seen = seen()
        guard seen & 1 == 1 else { return }
        var patience = Patience()
        while word.load(ordering: .acquiring) == seen { patience.wait() }
    }
}
