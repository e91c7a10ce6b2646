import Platform
import Synchronization

/// Stops a thread at a random moment of an operation until other threads have carried out some of theirs.
///
/// A race shows if one thread carries out a whole operation between two parts of another's. Left to themselves, threads
/// seldom meet there: on a busy machine or a single processor, a thread is hardly ever stopped amid an operation of
/// some microseconds. Here a timer stops it, so that others get their turn however long they wait for a processor. If
/// the thread holds a lock that they need, it goes on after some milliseconds.
///
/// Used by the thread that made it. Nothing is paused if ``ThreadTimer`` does nothing.
final class ThreadPause {
    /// Ignored by default, so that a late one does no harm. Interrupted system calls are restarted.
    private static let signal = SIGURG
    private static let ended = Atomic(0)
    /// A paused thread goes on when this many have ended.
    private static let goal = Atomic(0)
    /// The longest pause of a thread, nanoseconds.
    private static let longest = Atomic(0)
    /// Whether a thread is paused and the others have to go on.
    private static let isPaused = Atomic(false)

    private let timer = ThreadTimer(signal: ThreadPause.signal)
    private var random: Xoshiro256
    /// How long an undisturbed operation of each kind takes, nanoseconds.
    private var durations: [Int: Int] = [:]
    /// How many times as long pauses are because other threads wait for a processor, too.
    private var slowness = 1
    private var number = 0

    /// - Parameter seed: chooses the moments.
    init(seed: UInt64) {
        random = Xoshiro256(seed: seed, "pauses")
        Platform.signal(Self.signal) { _ in ThreadPause.pause() }
    }

    /// Carries out an operation, and pauses it half of the time.
    ///
    /// - Parameters:
    ///   - kind: operations of one kind take about as long.
    ///   - goal: the value of ``count`` that ends a pause.
    func during<Result>(_ kind: Int, until goal: Int, _ operation: () throws -> Result) rethrows -> Result {
        let duration = durations[kind] ?? 20_000
        let isSet = random.next(below: 2) == 0
        if isSet {
            if number % 32 == 0 { slowness = min(8, Int(SearchTime.slowness())) }
            number += 1
            Self.longest.store(slowness * (250_000 << Int(random.next(below: 6))), ordering: .relaxed)
            Self.goal.store(goal, ordering: .relaxed)
            timer.set(nanoseconds: 1 + Int(random.next(below: UInt64(duration))))
        }
        let start = monotonicNanoseconds()
        defer {
            if isSet {
                timer.set(nanoseconds: 0)
            } else {
                // The shorter ones, in which the thread kept its processor.
                let taken = Int(monotonicNanoseconds() - start)
                durations[kind] = min(1_000_000, taken < duration ? (taken + duration) / 2 : duration + duration / 8)
            }
        }
        return try operation()
    }

    /// How many operations all threads have ended.
    static var count: Int { ended.load(ordering: .relaxed) }

    static func countOne() { ended.add(1, ordering: .relaxed) }

    /// The signal's handler: only atomic variables, and calls that a handler may make.
    private static func pause() {
        guard !isPaused.exchange(true, ordering: .acquiring) else { return }
        let error = errno
        let (goal, end) = (
            goal.load(ordering: .relaxed), monotonicNanoseconds() + UInt64(longest.load(ordering: .relaxed))
        )
        while ended.load(ordering: .relaxed) < goal, monotonicNanoseconds() < end {
            var moment = timespec(tv_sec: 0, tv_nsec: 10_000)
            nanosleep(&moment, nil)
        }
        errno = error
        isPaused.store(false, ordering: .releasing)
    }
}
