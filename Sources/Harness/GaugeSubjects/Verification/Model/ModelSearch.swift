import GaugeMeasurement
import GaugeSupport
import Platform

/// Tries one sequence after the other, and shrinks the first that fails.
struct ModelSearch {
    private let kind: ModelSequence.Kind
    private let sequences: UInt64
    private let trial: Trial

    init(_ kind: ModelSequence.Kind, sequences: UInt64, on trial: Trial) {
        (self.kind, self.sequences, self.trial) = (kind, sequences, trial)
    }

    /// - Throws: ``PromiseBroken`` with the options that repeat the failure.
    func run() throws {
        let settings = trial.model
        let start = monotonicNanoseconds()
        let isOver = { (seconds: Double) in Double(monotonicNanoseconds() - start) >= seconds * 1e9 }
        for round in 0..<(settings.steps == nil ? sequences : 1) where round == 0 || !isOver(settings.seconds) {
            let sequence = ModelSequence(kind, seed: settings.seed &+ round, capabilities: trial.capabilities)
            settings.beginSequence(sequence.seed)
            let steps = settings.steps ?? Array(sequence.steps.indices)
            // A part that was asked for is told, so that the steps of a crash are known.
            guard let first = try fault(sequence, steps, isTold: settings.steps != nil) else { continue }
            let fewest = settings.steps ?? shrunk(steps, of: sequence)
            // What depends on the order of threads or on the moment of a kill need not happen each time.
            for _ in 0..<10 {
                if let fault = try fault(sequence, fewest, isTold: true) { throw broken(fault, sequence, fewest) }
            }
            let rare = PromiseBroken("\(first.description); ten repetitions of these steps did not show it again")
            throw broken(rare, sequence, fewest)
        }
    }

    private func shrunk(_ steps: [Int], of sequence: ModelSequence) -> [Int] {
        let end = monotonicNanoseconds() + UInt64(2 * trial.model.seconds * 1e9)
        return Shrinking.fewest(of: steps, while: { monotonicNanoseconds() < end }) {
            (try? fault(sequence, $0, isTold: false)) != nil
        }
    }

    private func broken(_ fault: PromiseBroken, _ sequence: ModelSequence, _ steps: [Int]) -> PromiseBroken {
        PromiseBroken(fault.description, repeating: Self.repetition(seed: sequence.seed, steps: steps))
    }

    /// The options of `verify` that try these steps alone.
    static func repetition(seed: UInt64, steps: [Int]) -> String { "--seed \(seed) --steps \(StepRanges.text(steps))" }

    /// The first fault of a run of these steps.
    private func fault(_ sequence: ModelSequence, _ steps: [Int], isTold: Bool) throws -> PromiseBroken? {
        do {
            try trial.silently(!isTold) {
                if kind == .threads {
                    try ThreadedRun.run(sequence, steps: steps, on: trial)
                } else {
                    try ModelRun.run(sequence, steps: steps, on: trial)
                }
            }
            return nil
        } catch let broken as PromiseBroken {
            return broken
        } catch let reason as PromiseNotApplicable {
            throw reason
        } catch let failure as WorkerFailure {
            return PromiseBroken("\(failure)")
        } catch {
            return PromiseBroken("threw the error: \(error)")
        }
    }
}
