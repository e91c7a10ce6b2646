/// Runs work later, on one thread. Unlike a system timer it needs no file descriptor.
///
/// Invariant of the pointer: `changed` is an initialised condition variable from `init` on, used only with `state`'s
/// lock. The one instance lives as long as the process.
///
/// `@unchecked Sendable`: `changed` never changes, and the variable it points to is made to be shared.
package final class DelayedWork: ForkObserver, @unchecked Sendable {
    private struct State {
        var items = DueItems<@Sendable () -> Void>()
        var hasThread = false
    }

    private static let shared = DelayedWork()

    private let state = Locked(State())
    private let changed: UnsafeMutablePointer<pthread_cond_t>

    private init() {
        changed = Self.makeCondition()
        ForkObservers.add(self)
    }

    /// Runs `body` on another thread, no earlier than `nanoseconds` from now.
    ///
    /// - Returns: `false` if the system has no thread for it; `body` is then not run.
    package static func run(after nanoseconds: UInt64, _ body: @escaping @Sendable () -> Void) -> Bool {
        shared.add(body, due: monotonicNanoseconds() &+ nanoseconds)
    }

    private func add(_ body: @escaping @Sendable () -> Void, due: UInt64) -> Bool {
        state.lock.lock()
        defer { state.lock.unlock() }
        let waiting = state.value
        if !waiting.pointee.hasThread {
            guard startWorker() else { return false }
            waiting.pointee.hasThread = true
        }
        waiting.pointee.items.add(body, due: due)
        pthread_cond_signal(changed)
        return true
    }

    /// Starts the thread with signals blocked, so they go to the application's threads. Not those that a thread causes
    /// itself: blocked, they'd end the process past every handler. And not a profiler's.
    private func startWorker() -> Bool {
        var blocked = sigset_t()
        var before = sigset_t()
        sigfillset(&blocked)
        for signal in [SIGBUS, SIGSEGV, SIGILL, SIGTRAP, SIGFPE, SIGSYS, SIGPROF] { sigdelset(&blocked, signal) }
        pthread_sigmask(SIG_SETMASK, &blocked, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        return startThread { DelayedWork.shared.work() }
    }

    private func work() -> Never {
        // Copies the address: changing the value through the property would count as changing the property.
        let waiting = state.value
        while true {
            state.lock.lock()
            while let body = waiting.pointee.items.takeDue(at: monotonicNanoseconds()) {
                state.lock.unlock()
                body()
                state.lock.lock()
            }
            waitForWork()
            state.lock.unlock()
        }
    }

    /// Returns when the first item is due, or when an earlier item may have been added. May return too early.
    private func waitForWork() {
        guard let due = state.value.pointee.items.nextDue else {
            pthread_cond_wait(changed, state.lock.mutex)
            return
        }
        let now = monotonicNanoseconds()
        #if canImport(Darwin)
        let left = due > now ? due - now : 0
        var time = timespec(tv_sec: Int(left / 1_000_000_000), tv_nsec: Int(left % 1_000_000_000))
        pthread_cond_timedwait_relative_np(changed, state.lock.mutex, &time)
        #else
        guard due > now else { return }
        var time = timespec(tv_sec: Int(due / 1_000_000_000), tv_nsec: Int(due % 1_000_000_000))
        pthread_cond_timedwait(changed, state.lock.mutex, &time)
        #endif
    }

    private static func makeCondition() -> UnsafeMutablePointer<pthread_cond_t> {
        let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
        initialize(condition)
        return condition
    }

    private static func initialize(_ condition: UnsafeMutablePointer<pthread_cond_t>) {
        condition.initialize(to: pthread_cond_t())
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        defer { pthread_condattr_destroy(&attributes) }
        #if !canImport(Darwin)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        #endif
        pthread_cond_init(condition, &attributes)
    }

    package func prepareToFork() { state.lock.lock() }

    package func resumeInParent() { state.lock.unlock() }

    // The parent does its own work.
    package func resumeInChild() {
        let waiting = state.value
        waiting.pointee = State()
        Self.initialize(changed)
        state.lock.unlock()
    }
}

/// Waiting items, each with its due time. All times are of one clock, which the caller reads.
struct DueItems<Item> {
    /// Ordered by due time.
    private var waiting: [(due: UInt64, item: Item)] = []

    var nextDue: UInt64? { waiting.first?.due }

    /// Adds an item after all that are due at the same time or earlier.
    mutating func add(_ item: Item, due: UInt64) {
        let place = waiting.firstIndex { $0.due > due } ?? waiting.endIndex
        waiting.insert((due, item), at: place)
    }

    mutating func takeDue(at now: UInt64) -> Item? {
        guard let due = nextDue, due <= now else { return nil }
        return waiting.removeFirst().item
    }
}
