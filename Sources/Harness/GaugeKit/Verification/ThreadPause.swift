import GaugeSupport
import Platform
import Synchronization

/// Stops a thread at a random moment of an operation until other threads have carried out some of theirs.
///
/// A race within an operation shows when another thread carries out a whole one between two of its parts. Threads left to
/// themselves seldom meet there: on a busy machine, and on one processor, a thread is hardly ever stopped in the midst of an
/// operation of some microseconds. A timer stops it here, so that other threads have their turn however long it takes them
/// to get a processor. Where the thread holds a lock that they wait for, it goes on after some milliseconds.
///
/// Used by the thread that made it. Nothing is paused where ``ThreadTimer`` does nothing.
final class ThreadPause {
    /// By default it does nothing, so that a late one does no harm. Interrupted system calls are restarted.
    private static let signal = SIGURG
    /// Operations that all threads have ended.
    private static let ended = Atomic(0)
    /// A paused thread goes on when so many have ended.
    private static let goal = Atomic(0)
    /// How long a thread is paused at most, nanoseconds.
    private static let longest = Atomic(0)
    /// Whether a thread is paused: the others have to go on.
    private static let isPaused = Atomic(false)

    private let timer = ThreadTimer(signal: ThreadPause.signal)
    private var random: Xoshiro256
    /// How long an operation of each kind takes undisturbed, nanoseconds.
    private var durations: [Int: Int] = [:]

    /// - Parameter seed: of the moments.
    init(seed: UInt64) {
        random = Xoshiro256(seed: seed, "pauses")
        Platform.signal(Self.signal) { _ in ThreadPause.pause() }
    }

    /// Carries out an operation, and pauses it half of the times.
    ///
    /// - Parameters:
    ///   - kind: operations of one kind take about as long.
    ///   - goal: the value of ``count`` at which a pause ends.
    func during<Result>(_ kind: Int, until goal: Int, _ operation: () throws -> Result) rethrows -> Result {
        let duration = durations[kind] ?? 20_000
        let isSet = random.next(below: 2) == 0
        if isSet {
            Self.longest.store(250_000 << Int(random.next(below: 6)), ordering: .relaxed)
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

    /// The number of operations that all threads have ended.
    static var count: Int { ended.load(ordering: .relaxed) }

    /// Counts an operation that has ended.
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
