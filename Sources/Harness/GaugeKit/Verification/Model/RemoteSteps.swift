import GaugeTraces
import Platform

/// A subject in a process that can be killed. The process makes the same sequence from its seed, so a step's number is
/// enough.
struct RemoteSteps: SteppedSubject {
    private let sequence: ModelSequence
    private let trial: Trial
    private var process: WorkerProcess

    private static let timeOut = 20.0

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
        try process.greet(within: timeOut)
        try process.send(.open(memory: memory, disk: disk))
        guard case .answered = try process.receive(within: timeOut) else {
            throw WorkerFailure.misunderstood("something else while a subject was opened")
        }
        return process
    }

    func perform(_ number: Int) throws -> ModelAnswer {
        try process.send(.perform(step: number))
        guard case .answered(let answer) = try process.receive(within: Self.timeOut) else {
            throw WorkerFailure.misunderstood("something else while a step was carried out")
        }
        return answer
    }

    mutating func reopen(memory: Int, disk: Int) throws {
        try process.send(.close)
        guard case .answered = try process.receive(within: Self.timeOut) else {
            throw WorkerFailure.misunderstood("something else while a subject was closed")
        }
        process.end()
        process = try Self.start(sequence, trial, memory: memory, disk: disk)
    }

    mutating func kill(_ number: Int, memory: Int, disk: Int) throws {
        let random = SplitMix64.mix(sequence.seed &+ UInt64(number))
        if random.isMultiple(of: 2), let bytes = sequence.steps[number].bytes {
            try writePart(number, random / 2, of: bytes)
        } else {
            try process.send(.perform(step: number))
            // From before the step until after its end.
            let start = monotonicNanoseconds()
            while monotonicNanoseconds() - start < random / 2 % 400_000 {}
        }
        process.end()
        process = try Self.start(sequence, trial, memory: memory, disk: disk)
    }

    /// Carries out a step until a file has grown by a random part of its entry: a moment that a timer rarely hits.
    private func writePart(_ number: Int, _ random: UInt64, of bytes: Int) throws {
        // A file of its own, or one that grows with each entry.
        let longest = FileBytes.files(in: trial.directory).map { FileBytes.length($0.path) }.max() ?? 0
        let part = Int(random / 2 % UInt64(bytes + 600))
        let limit = random.isMultiple(of: 2) ? part : longest + part
        trial.note("(the system ends it when a file would become longer than \(limit) bytes)")
        try process.send(.limitFiles(bytes: limit))
        guard case .answered = try process.receive(within: Self.timeOut) else {
            throw WorkerFailure.misunderstood("something else while files were limited")
        }
        try process.send(.perform(step: number))
        // Ended by the signal, by an error, or by an entry that fits.
        _ = try? process.receive(within: Self.timeOut)
    }

    func abandon() { process.end() }
}

/// The process that holds the subject of ``RemoteSteps``.
package struct SteppedProcess {
    private let trial: Trial
    private let steps: LocalSteps
    private let directory: String

    package init(_ type: any CacheSubject.Type, seed: UInt64, directory: String, policy: SubjectEvictionPolicy = .lru) {
        self.directory = directory
        trial = Trial(type, parent: directory, policy: policy) { _ in }
        steps = LocalSteps(ModelSequence(.killed, seed: seed, capabilities: type.capabilities), trial)
    }

    package func reply(to request: WorkerRequest) throws -> WorkerReply {
        switch request {
        case .open(let memory, let disk):
            try trial.open(memory: memory, disk: disk, in: directory)
            return .answered(.done)
        case .limitFiles(let bytes):
            var limits = rlimit()
            getrlimit(fileSizeLimit, &limits)
            limits.rlim_cur = rlim_t(bytes)
            Platform.signal(SIGXFSZ, SIG_DFL)
            guard setrlimit(fileSizeLimit, &limits) == 0 else { throw SystemError.last }
            return .answered(.done)
        case .perform(let step): return .answered(try steps.perform(step))
        case .close:
            try trial.close()
            return .answered(.done)
        default: throw GaugeError("a process that holds a subject was asked for something else")
        }
    }
}
