import HTTPCache
import Platform

/// A clock that stands still until it is advanced.
package final class VirtualClock: CacheClock {
    private struct State {
        var seconds: Int64
        var uptime = 0.0
        var sleepers: [(wake: Double, oneShot: OneShot<Bool>)] = []
    }

    private let state: Locked<State>

    /// A clock at that many seconds after 1970.
    package init(seconds: Int64) { state = Locked(State(seconds: seconds)) }

    /// The present moment.
    package var now: CacheTime { CacheTime(seconds: state.withLock { $0.seconds }) }

    /// Seconds by which the clock has been advanced so far.
    package var uptime: Double { state.withLock { $0.uptime } }

    /// Advances the clock by that many seconds; a negative number sets it back, which `uptime` does not notice.
    package func advance(by step: Int64) {
        let awake = state.withLock { state in
            state.seconds = state.seconds.addingReportingOverflow(step).partialValue
            state.uptime += Double(max(step, 0))
            let awake = state.sleepers.filter { $0.wake <= state.uptime }
            state.sleepers.removeAll { $0.wake <= state.uptime }
            return awake.map(\.oneShot)
        }
        for oneShot in awake { oneShot.provide(true) }
    }

    /// Waits until the clock has been advanced by that many seconds.
    package func sleep(seconds: Double) async throws {
        let oneShot: OneShot<Bool>? = state.withLock { state in
            guard seconds > 0 else { return nil }
            let oneShot = OneShot<Bool>()
            state.sleepers.append((state.uptime + seconds, oneShot))
            return oneShot
        }
        guard let oneShot, await !oneShot.wait(cancelled: false) else { return }
        throw CancellationError()
    }
}
