import Platform
import PlantedGauge

@testable import GaugeKit

/// Runs `body` with a clock that advances with its readings and with waiting, for the trial and for the caches of the
/// tests.
func withSteppedTime<Result>(_ body: (TrialClock) throws -> Result) rethrows -> Result {
    let time = Locked(1_000_000.0)
    let advance: @Sendable (Double) -> Double = { seconds in
        time.withLock {
            $0 += seconds
            return $0
        }
    }
    let now: @Sendable () -> Double = { advance(0.001) }
    let clock = TrialClock(now: now, pause: { _ = advance(0.03) }, wait: { _ = advance($0) })
    return try FlawedClock.$source.withValue(.init(now)) { try body(clock) }
}
