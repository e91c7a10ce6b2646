import Foundation

@testable import GaugeSupport
@testable import GaugeMeasurement

/// Simulates the adjacent slices of two processes on a machine with known noise. All spreads are fractions.
struct PairedMachine {
    /// The fraction by which B is slower.
    var effect = 0.0
    /// The spread between processes, constant during the life of a process.
    var process = 0.004
    /// The spread between slices.
    var slice = 0.006
    /// The probability that the machine changes its speed before a slice, and the time in its slow mode.
    var change = 0.1
    var slow = 1.6
    private var isSlow = false
    private var random: Xoshiro256

    init(seed: UInt64) { random = Xoshiro256(seed: seed) }

    private mutating func time(_ process: Double) -> Double {
        if random.nextUnit() < change { isSlow.toggle() }
        return exp(3 + process + slice * random.nextNormal()) * (isSlow ? slow : 1)
    }

    mutating func set(pairs: Int) -> Contrast? {
        let (a, b) = (process * random.nextNormal(), process * random.nextNormal() + log1p(effect))
        return Contrast(
            (0..<pairs).map { number in
                guard number % 2 == 0 else {
                    let second = time(b)
                    return [time(a), second]
                }
                let first = time(a)
                return [first, time(b)]
            })
    }

    mutating func verdict(sets: Int, pairs: Int) -> Verdict {
        Judgement(
            (0..<sets).compactMap { _ in set(pairs: pairs) }, .comparison(delta: JudgingRule.comparisonDelta)
        ).verdict
    }
}
