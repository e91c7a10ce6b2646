import Foundation

@testable import GaugeSupport
@testable import GaugeVerdicts

/// Times as a machine would give them whose faults are known. All spreads are parts: 0.01 is one per cent.
struct SimulatedMachine {
    /// By how much the current build is slower, and the padded one.
    var effect = 0.0
    var layout = 0.0
    /// Of a process, as long as it lives.
    var process = 0.003
    /// One process in so many is slower by up to `oddness`, for no reason.
    var odd = 30.0
    var oddness = 0.06
    /// Of a slice.
    var slice = 0.015
    /// One slice in so many is interrupted, and takes up to three times as long.
    var interrupted = 25.0
    /// By how much the machine's speed wanders from slice to slice, for all alike.
    var drift = 0.01
    private var random: Xoshiro256

    init(seed: UInt64) { random = Xoshiro256(seed: seed) }

    /// One that others use as well.
    static func loud(seed: UInt64) -> Self {
        var machine = Self(seed: seed)
        (machine.process, machine.odd, machine.slice, machine.interrupted) = (0.02, 5, 0.15, 4)
        return machine
    }

    private mutating func normal() -> Double {
        (-2 * log(1 - random.nextUnit())).squareRoot() * cos(2 * .pi * random.nextUnit())
    }

    mutating func set() -> Replicate? {
        let processes = TimeArm.allCases.map { arm in
            let own = arm == .current ? log1p(effect) : arm == .padded ? log1p(layout) : 0
            let luck = random.nextUnit() * odd < 1 ? random.nextUnit() * oddness : 0
            return own + process * normal() + luck
        }
        var speed = 0.0
        return Replicate(
            slices: (0..<TimeGate.slices).map { _ in
                processes.map { process in
                    speed += drift * normal()
                    let pause = random.nextUnit() * interrupted < 1 ? random.nextUnit() * 1.1 : 0
                    return exp(3 + process + speed + slice * normal() + pause)
                }
            })
    }

    /// Looks as the gate does, with so many sets at most.
    mutating func judge(benchmarks: Int = 8, most: Int = 27) -> TimeJudgement {
        let plan = LookPlan(benchmarks: benchmarks)
        var sets: [Replicate] = []
        var judgement = TimeJudgement([], delta: TimeGate.defaultDelta, plan: plan)
        while judgement.isOpen, let next = LookPlan.next(after: sets.count), next <= most {
            while sets.count < next { if let set = set() { sets.append(set) } }
            judgement = TimeJudgement(sets, delta: TimeGate.defaultDelta, plan: plan)
        }
        return judgement
    }

    /// How often which verdict was given.
    mutating func verdicts(_ gates: Int, most: Int = 27) -> [TimeJudgement.Verdict: Int] {
        var verdicts: [TimeJudgement.Verdict: Int] = [:]
        for _ in 0..<gates { verdicts[judge(most: most).verdict, default: 0] += 1 }
        return verdicts
    }
}
