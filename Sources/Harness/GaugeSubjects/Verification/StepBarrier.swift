import Foundation
import Platform
import Synchronization

/// Lets several threads begin each of their steps together.
///
/// A thread spins for a short time and then sleeps. On a busy machine a thread that only yields gets its processor back
/// after milliseconds, so that the steps of two threads would hardly ever overlap.
final class StepBarrier: Sendable {
    private let threads: Int
    private let arrivals = Atomic(0)
    private let stopped = Atomic(false)
    private let changed = NSCondition()
    /// How long a thread spins, nanoseconds.
    private static let spinning: UInt64 = 20_000

    init(threads: Int) { self.threads = threads }

    /// Whether a thread has stopped. The others then wait no longer.
    var isStopped: Bool { stopped.load(ordering: .acquiring) }

    func stop() {
        stopped.store(true, ordering: .releasing)
        wake()
    }

    /// Waits until all threads have come to this round, or one of them has stopped.
    ///
    /// - Parameter round: counted from 1; each thread comes to every round.
    func wait(for round: Int) {
        let goal = round * threads
        let arrived = arrivals.add(1, ordering: .acquiringAndReleasing).newValue
        guard arrived < goal else { return wake() }
        let end = monotonicNanoseconds() + Self.spinning
        while monotonicNanoseconds() < end { if isOpen(goal) { return } }
        changed.withLock {
            while !isOpen(goal) { changed.wait() }
        }
    }

    private func isOpen(_ goal: Int) -> Bool { arrivals.load(ordering: .acquiring) >= goal || isStopped }

    private func wake() { changed.withLock { changed.broadcast() } }
}
