import Platform

/// Calls back requests whose time is over. However many wait, one task sleeps, until the earliest deadline.
final class Deadlines: Sendable {
    private struct Entry {
        /// `CacheClock.uptime`.
        let deadline: Double
        let expire: @Sendable () -> Void
    }

    private struct State {
        var entries: [UInt64: Entry] = [:]
        var lastNumber: UInt64 = 0
        /// When the task wakes that sleeps for the earliest deadline; a task that wakes at another time is superseded.
        var wake: Double?
    }

    private let clock: any CacheClock
    private let executor: (any TaskExecutor)?
    private let state = Locked(State())

    init(clock: any CacheClock, executor: (any TaskExecutor)?) {
        self.clock = clock
        self.executor = executor
    }

    /// Waits for an event, until that moment of `CacheClock.uptime` at most; `nil` sets no limit. The event is set when the
    /// time is over, which may also be just after the wait.
    nonisolated(nonsending) func wait(for event: AutoResetEvent, until deadline: Double?) async {
        guard let deadline else { return await event.wait() }
        let number = add(deadline) { event.set() }
        await event.wait()
        state.withLock { $0.entries[number] = nil }
    }

    /// The moment of `CacheClock.uptime` in that many seconds.
    func moment(in seconds: Double) -> Double { clock.uptime + seconds }

    private func add(_ deadline: Double, _ expire: @escaping @Sendable () -> Void) -> UInt64 {
        let (number, isEarliest) = state.withLock { state in
            state.lastNumber += 1
            state.entries[state.lastNumber] = Entry(deadline: deadline, expire: expire)
            let isEarliest = state.wake.map { deadline < $0 } ?? true
            if isEarliest { state.wake = deadline }
            return (state.lastNumber, isEarliest)
        }
        if isEarliest { sleep(until: deadline) }
        return number
    }

    private func sleep(until wake: Double) {
        // No weak reference: LeakSanitizer would report its side table, which only the reference count points to.
        Task(executorPreference: executor) { [self] in
            try? await clock.sleep(seconds: wake - clock.uptime)
            expire(wake)
        }
    }

    private func expire(_ wake: Double) {
        let now = clock.uptime
        let (expired, next): ([Entry], Double?) = state.withLock { state in
            guard state.wake == wake else { return ([], nil) }
            let expired = state.entries.filter { $0.value.deadline <= now }
            for number in expired.keys { state.entries[number] = nil }
            state.wake = state.entries.values.map(\.deadline).min()
            return (Array(expired.values), state.wake)
        }
        for entry in expired { entry.expire() }
        if let next { sleep(until: next) }
    }
}
