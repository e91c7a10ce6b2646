import Platform

/// Calls back requests whose time is over. However many wait, only one task sleeps, until the earliest deadline.
final class Deadlines: Sendable {
    private struct Entry {
        /// `CacheClock.uptime`.
        let deadline: Double
        let expire: @Sendable () -> Void
    }

    private struct State {
        var entries: [UInt64: Entry] = [:]
        var lastNumber: UInt64 = 0
        var wake: Double?
        /// The number of the last sleep. A task that wakes from another one is superseded.
        var sleep: UInt64 = 0
        var sleeper: Task<Void, Never>?
        /// The engine is gone; the requests still waiting are the last.
        var isEnding = false

        mutating func startSleep(until wake: Double) -> UInt64 {
            self.wake = wake
            sleep += 1
            return sleep
        }

        /// A sleeper that is no longer needed, which would keep the executor until it wakes.
        mutating func takeUnneeded() -> Task<Void, Never>? { isEnding && entries.isEmpty ? sleeper.take() : nil }
    }

    private let clock: any CacheClock
    private let executor: (any TaskExecutor)?
    private let state = Locked(State())
    private let forkGeneration = currentForkGeneration()

    init(clock: any CacheClock, executor: (any TaskExecutor)?) {
        self.clock = clock
        self.executor = executor
    }

    /// Waits for an event, at most until `deadline` by `CacheClock.uptime`; `nil` sets no limit. When the time is over
    /// the event is set, possibly just after the wait.
    nonisolated(nonsending) func wait(for event: AutoResetEvent, until deadline: Double?) async {
        guard let deadline else { return await event.wait() }
        let number = add(deadline) { event.set() }
        await event.wait()
        let unneeded = state.withLock { state in
            state.entries[number] = nil
            return state.takeUnneeded()
        }
        unneeded?.cancel()
    }

    func moment(in seconds: Double) -> Double { clock.uptime + seconds }

    /// Ends the sleep as soon as no request waits. In a forked child nothing sleeps, and the lock may be held for ever.
    func end() {
        guard currentForkGeneration() == forkGeneration else { return }
        let unneeded = state.withLock { state in
            state.isEnding = true
            return state.takeUnneeded()
        }
        unneeded?.cancel()
    }

    private func add(_ deadline: Double, _ expire: @escaping @Sendable () -> Void) -> UInt64 {
        let (number, sleep): (UInt64, UInt64?) = state.withLock { state in
            state.lastNumber += 1
            state.entries[state.lastNumber] = Entry(deadline: deadline, expire: expire)
            let isEarliest = state.wake.map { deadline < $0 } ?? true
            return (state.lastNumber, isEarliest ? state.startSleep(until: deadline) : nil)
        }
        if let sleep { begin(sleep, until: deadline) }
        return number
    }

    private func begin(_ sleep: UInt64, until wake: Double) {
        // Not a weak reference: LeakSanitizer would report its side table, which only the reference count points to.
        let sleeper = Task(executorPreference: executor) { [self] in
            guard (try? await clock.sleep(seconds: wake - clock.uptime)) != nil else { return }
            expire(sleep)
        }
        let unneeded = state.withLock { state in
            var other = Optional(sleeper)
            if state.sleep == sleep { swap(&state.sleeper, &other) }
            return [other, state.takeUnneeded()]
        }
        for task in unneeded { task?.cancel() }
    }

    private func expire(_ sleep: UInt64) {
        let now = clock.uptime
        let (expired, next): ([Entry], (sleep: UInt64, wake: Double)?) = state.withLock { state in
            guard state.sleep == sleep else { return ([], nil) }
            let expired = state.entries.filter { $0.value.deadline <= now }
            for number in expired.keys { state.entries[number] = nil }
            state.wake = nil
            let next = state.entries.values.map(\.deadline).min().map { (state.startSleep(until: $0), $0) }
            return (Array(expired.values), next)
        }
        for entry in expired { entry.expire() }
        if let next { begin(next.sleep, until: next.wake) }
    }
}
