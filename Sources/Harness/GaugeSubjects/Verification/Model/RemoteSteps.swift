import GaugeMeasurement
import GaugeSupport
import GaugeTraces
import Platform

/// A subject in a process that can be killed. The process makes the same sequence from its seed, so that a step is
/// named by its number alone.
struct RemoteSteps: SteppedSubject {
    private let sequence: ModelSequence
    private let trial: Trial
    private var process: WorkerProcess

    /// How long a step may take, seconds.
    private static let patience = 20.0

    init(_ sequence: ModelSequence, _ trial: Trial, memory: Int, disk: Int) throws {
        (self.sequence, self.trial) = (sequence, trial)
        try trial.startOver()
        process = try Self.start(sequence, trial, memory: memory, disk: disk)
    }

    private static func start(_ sequence: ModelSequence, _ trial: Trial, memory: Int, disk: Int) throws
        -> WorkerProcess
    {
        let process = try WorkerProcess(
            executable: trial.model.executable,
            arguments: [
                "verify-subject", "--subject=\(trial.model.subject)", "--promise=model-killed",
                "--seed=\(sequence.seed)",
                "--directory=\(trial.directory)", "--policy=\(trial.policy.rawValue)",
            ])
        try process.greet(within: patience)
        try process.send(.open(memory: memory, disk: disk))
        guard case .answered = try process.receive(within: patience) else {
            throw WorkerFailure.misunderstood("something else while a subject was opened")
        }
        return process
    }

    func perform(_ number: Int) throws -> ModelAnswer {
        try process.send(.perform(step: number))
        guard case .answered(let answer) = try process.receive(within: Self.patience) else {
            throw WorkerFailure.misunderstood("something else while a step was carried out")
        }
        return answer
    }

    mutating func reopen(memory: Int, disk: Int) throws {
        try process.send(.close)
        guard case .answered = try process.receive(within: Self.patience) else {
            throw WorkerFailure.misunderstood("something else while a subject was closed")
        }
        process.end()
        process = try Self.start(sequence, trial, memory: memory, disk: disk)
    }

    mutating func kill(_ number: Int, memory: Int, disk: Int) throws {
        try process.send(.perform(step: number))
        // From before the step begins until after its end.
        let nanoseconds = SplitMix64.mix(sequence.seed &+ UInt64(number)) % 400_000
        let start = monotonicNanoseconds()
        while monotonicNanoseconds() - start < nanoseconds {}
        process.end()
        process = try Self.start(sequence, trial, memory: memory, disk: disk)
    }

    func abandon() { process.end() }
}

/// The other side of ``RemoteSteps``: the process that holds the subject.
package struct SteppedProcess {
    private let trial: Trial
    private let steps: LocalSteps
    private let directory: String

    package init(
        _ type: any CacheSubject.Type, seed: UInt64, directory: String, policy: SubjectEvictionPolicy = .lru
    ) {
        self.directory = directory
        trial = Trial(type, parent: directory, policy: policy) { _ in }
        steps = LocalSteps(ModelSequence(.killed, seed: seed, capabilities: type.capabilities), trial)
    }

    /// Carries out one request.
    package func reply(to request: WorkerRequest) throws -> WorkerReply {
        switch request {
        case .open(let memory, let disk):
            try trial.open(memory: memory, disk: disk, in: directory)
            return .answered(.done)
        case .perform(let step): return .answered(try steps.perform(step))
        case .close:
            try trial.close()
            return .answered(.done)
        default: throw GaugeError("a process that holds a subject was asked for something else")
        }
    }
}
