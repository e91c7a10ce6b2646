import Foundation

@testable import GaugeSupport
@testable import GaugeMeasurement

/// Simulates the times of a machine with known noise. All spreads are fractions: 0.01 is one per cent.
struct SimulatedMachine {
    /// The fractions by which the current build and the padded one are slower.
    var effect = 0.0
    var layout = 0.0
    /// The spread between processes, constant during the life of a process.
    var process = 0.003
    /// One process in this many is slower by up to `oddness`, at random.
    var odd = 30.0
    var oddness = 0.06
    /// The spread between slices.
    var slice = 0.015
    /// One slice in this many is interrupted, and takes up to three times as long.
    var interrupted = 25.0
    /// The drift of the machine's speed from slice to slice, the same for all processes.
    var drift = 0.01
    private var random: Xoshiro256

    init(seed: UInt64) { random = Xoshiro256(seed: seed) }

    /// A machine that is also used by others.
    static func loud(seed: UInt64) -> Self {
        var machine = Self(seed: seed)
        (machine.process, machine.odd, machine.slice, machine.interrupted) = (0.02, 5, 0.15, 4)
        return machine
    }

    mutating func set() -> Contrast? {
        let processes = (0..<GateArms.count).map { arm in
            let own = arm == 3 ? log1p(effect) : arm == 2 ? log1p(layout) : 0
            let luck = random.nextUnit() * odd < 1 ? random.nextUnit() * oddness : 0
            return own + process * random.nextNormal() + luck
        }
        var speed = 0.0
        return Contrast(
            (0..<16).map { _ in
                processes.map { process in
                    speed += drift * random.nextNormal()
                    let pause = random.nextUnit() * interrupted < 1 ? random.nextUnit() * 1.1 : 0
                    return exp(3 + process + speed + slice * random.nextNormal() + pause)
                }
            })
    }

    /// Judges as the gate does, with at most `most` sets.
    mutating func judge(benchmarks: Int = 8, most: Int = 27) -> Judgement {
        let rule = JudgingRule.gate(delta: TimeDecision.defaultDelta, plan: LookPlan(benchmarks: benchmarks))
        var sets: [Contrast] = []
        var judgement = Judgement([], rule)
        while judgement.isOpen, let next = LookPlan.next(after: sets.count), next <= most {
            while sets.count < next { if let set = set() { sets.append(set) } }
            judgement = Judgement(sets, rule)
        }
        return judgement
    }

    /// The number of times that each verdict was given.
    mutating func verdicts(_ gates: Int, most: Int = 27) -> [Verdict: Int] {
        var verdicts: [Verdict: Int] = [:]
        for _ in 0..<gates { verdicts[judge(most: most).verdict, default: 0] += 1 }
        return verdicts
    }
}
