import GaugeMeasurement
import GaugeTraces

/// Carries out some steps of a sequence on a subject of a trial, and judges every answer.
struct ModelRun {
    let sequence: ModelSequence
    let trial: Trial
    private var subject: any SteppedSubject
    private var judge: any ModelJudge
    private var memory: Int
    private var disk: Int

    /// Carries out the steps with these numbers on a new subject.
    ///
    /// - Throws: ``PromiseBroken`` with the first fault; errors of the subject.
    static func run(_ sequence: ModelSequence, steps: [Int], on trial: Trial) throws {
        var run = try ModelRun(sequence, trial)
        defer {
            run.subject.abandon()
            trial.clean()
        }
        for number in steps where sequence.steps.indices.contains(number) { try run.perform(number) }
        try run.judge.end(sequence, trial)
    }

    private init(_ sequence: ModelSequence, _ trial: Trial) throws {
        (self.sequence, self.trial) = (sequence, trial)
        (memory, disk) = (sequence.memory, sequence.disk)
        judge = sequence.kind.judge(sequence)
        for request in sequence.keys { trial.name(request) }
        if sequence.kind == .killed {
            subject = try RemoteSteps(sequence, trial, memory: memory, disk: disk)
        } else {
            try trial.begin(memory: memory, disk: disk)
            subject = LocalSteps(sequence, trial)
        }
    }

    private mutating func perform(_ number: Int) throws {
        let step = sequence.steps[number]
        // The same in every part of the sequence.
        let version = UInt64(number + 1)
        trial.tell(step.text(sequence.keys, version: version))
        switch step {
        case .resize(let memory, let disk): (self.memory, self.disk) = (memory, disk)
        case .reopen:
            try subject.reopen(memory: memory, disk: disk)
            return try judge.judge(step, version: version, .done, sequence)
        case .kill:
            try subject.kill(number, memory: memory, disk: disk)
            return try judge.judge(step, version: version, .done, sequence)
        default: break
        }
        let answer = try subject.perform(number)
        if case .damaged(let count) = answer {
            throw PromiseBroken("answered with damaged bytes, \(count) of them")
        }
        if case .found(let key, _, _, _) = answer, let asked = step.key, key != Trial.id(sequence.keys[asked]) {
            throw PromiseBroken("answered with the body of \(trial.bodies[key] ?? "something never stored")")
        }
        try judge.judge(step, version: version, answer, sequence)
    }
}

/// A subject that carries out steps of a sequence by their numbers.
protocol SteppedSubject {
    func perform(_ number: Int) throws -> ModelAnswer
    /// Closes the subject, and opens it again on its files.
    mutating func reopen(memory: Int, disk: Int) throws
    /// Begins a step, kills the process, and opens the subject again on its files.
    mutating func kill(_ number: Int, memory: Int, disk: Int) throws
    /// Ends the use of the subject without settling it.
    func abandon()
}

/// A subject in this process.
struct LocalSteps: SteppedSubject {
    private let sequence: ModelSequence
    private let trial: Trial

    init(_ sequence: ModelSequence, _ trial: Trial) { (self.sequence, self.trial) = (sequence, trial) }

    func perform(_ number: Int) throws -> ModelAnswer {
        let subject = try trial.driven()
        switch sequence.steps[number] {
        case .store(let key, let bytes), .kill(let key, let bytes):
            try trial.withBody(sequence.keys[key], bytes: bytes, version: UInt64(number + 1)) {
                try subject.store(sequence.keys[key], $0)
            }
        case .lookUp(let key):
            let answer = try subject.answer(sequence.keys[key])
            guard let body = answer.body else { return .missed }
            guard let identity = body.withUnsafeBytes({ Payload.identity(of: $0) }) else {
                return .damaged(count: body.count)
            }
            return .found(
                key: identity.key, version: identity.version, count: body.count, answer.outcome)
        case .remove(let key): try subject.remove(sequence.keys[key])
        case .resize(let memory, let disk): try subject.resize(memory: memory, disk: disk)
        case .settle: try subject.settle()
        case .reopen: break
        }
        return .done
    }

    func reopen(memory: Int, disk: Int) throws { try trial.reopen(memory: memory, disk: disk) }

    /// Without a process to kill, the subject is only opened again.
    func kill(_ number: Int, memory: Int, disk: Int) throws {
        _ = try perform(number)
        try reopen(memory: memory, disk: disk)
    }

    func abandon() {}
}
