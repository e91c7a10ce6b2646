import GaugeTraces

/// Carries out steps of a sequence on a trial's subject, and judges every answer.
struct ModelRun {
    let sequence: ModelSequence
    let trial: Trial
    private var subject: any SteppedSubject
    private var judge: any ModelJudge
    private var memory: Int
    private var disk: Int

    /// Carries out the steps with these numbers on a new subject.
    ///
    /// - Parameters:
    ///   - isOver: asked before each step; ends the run early.
    ///   - begin: called with each step's number before it, and with `nil` after the last.
    /// - Throws: ``PromiseBroken`` with the first fault; errors of the subject.
    static func run(
        _ sequence: ModelSequence, steps: [Int], on trial: Trial, until isOver: () -> Bool = { false },
        begin: (Int?) -> Void = { _ in }
    ) throws {
        var run = try ModelRun(sequence, trial)
        defer {
            run.subject.abandon()
            trial.clean()
        }
        for number in steps where sequence.steps.indices.contains(number) {
            if isOver() { return }
            begin(number)
            try run.perform(number)
        }
        begin(nil)
        try run.judge.end(sequence, trial)
    }

    private init(_ sequence: ModelSequence, _ trial: Trial) throws {
        (self.sequence, self.trial) = (sequence, trial)
        (memory, disk) = (sequence.memory, sequence.disk)
        judge = try sequence.kind.judge(sequence, trial)
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
        trial.note(step.text(sequence.keys, version: version, memory: { trial.text(limit: trial.limit($0)) }))
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
        if case .damaged(let count) = answer { throw PromiseBroken("answered with damaged bytes, \(count) of them") }
        if case .mismatched(let version, let metadata) = answer {
            throw PromiseBroken(
                "found version \(version) with \(metadata.map { "the metadata of version \($0)" } ?? "its metadata missing")"
            )
        }
        if case .found(let key, _, _, _) = answer, let asked = step.key, key != Trial.id(sequence.keys[asked]) {
            throw PromiseBroken("answered with the body of \(trial.bodies[key] ?? "something never stored")")
        }
        try judge.judge(step, version: version, answer, sequence)
        try compareUsage(number)
    }

    /// Memory must stay within its capacity at all times. With a disk, asking for the usage may take long.
    private func compareUsage(_ number: Int) throws {
        guard sequence.memory > 0, sequence.kind == .held || sequence.kind == .usage, disk == 0 || number % 16 == 0
        else { return }
        let (usage, limit) = (try trial.driven().usage, trial.limit(memory))
        guard let used = trial.countsEntries ? usage.memoryEntries : usage.memoryBytes else { return }
        try expect(
            used >= 0 && used <= limit, "\(used) \(trial.countsEntries ? "entries" : "bytes") in use of \(limit)")
    }
}

/// A subject that carries out steps by number.
protocol SteppedSubject {
    func perform(_ number: Int) throws -> ModelAnswer
    mutating func reopen(memory: Int, disk: Int) throws
    /// Begins a step, kills the process, and reopens the subject on its files.
    mutating func kill(_ number: Int, memory: Int, disk: Int) throws
    /// Stops using the subject without settling it.
    func abandon()
}

struct LocalSteps: SteppedSubject {
    private let sequence: ModelSequence
    private let trial: Trial

    init(_ sequence: ModelSequence, _ trial: Trial) { (self.sequence, self.trial) = (sequence, trial) }

    func perform(_ number: Int) throws -> ModelAnswer {
        let subject = try trial.driven()
        switch sequence.steps[number] {
        case .store(let key, let bytes), .kill(let key, let bytes):
            let (request, version) = (sequence.keys[key], UInt64(number + 1))
            try trial.withBody(request, bytes: bytes, version: version) {
                guard hasMetadata(version) else {
                    try subject.store(request, $0)
                    return
                }
                try subject.store(request, $0, userInfo: ["version": .whole(Int(version))])
            }
        case .lookUp(let key):
            let answer = try subject.answer(sequence.keys[key])
            guard let body = answer.body else { return .missed }
            guard let identity = body.withUnsafeBytes({ Payload.identity(of: $0) }) else {
                return .damaged(count: body.count)
            }
            if tellsMetadata {
                let found = try subject.userInfo(sequence.keys[key])?["version"]
                let wanted = hasMetadata(identity.version) ? PropertyValue.whole(Int(identity.version)) : nil
                if found != wanted { return .mismatched(version: identity.version, metadata: found?.description) }
            }
            return .found(key: identity.key, version: identity.version, count: body.count, answer.outcome)
        case .remove(let key): try subject.removeEntry(sequence.keys[key])
        case .resize(let memory, let disk): try trial.quietlyResize(memory: memory, disk: disk)
        case .settle: try subject.settle()
        case .removeLater: try subject.removeAll(since: trial.now() + 3_600)
        case .removeAll: try subject.removeAll()
        case .readUsage: _ = subject.usage
        case .reopen: break
        }
        return .done
    }

    /// Whether the subject keeps metadata, and the sequence is about answers.
    private var tellsMetadata: Bool {
        trial.capabilities.contains(.userInfo) && (sequence.kind == .answers || sequence.kind == .killed)
    }

    /// Every second version has metadata, which names it.
    private func hasMetadata(_ version: UInt64) -> Bool { tellsMetadata && version.isMultiple(of: 2) }

    func reopen(memory: Int, disk: Int) throws { try trial.reopen(memory: memory, disk: disk) }

    /// Without a process to kill, only reopens the subject.
    func kill(_ number: Int, memory: Int, disk: Int) throws {
        _ = try perform(number)
        try reopen(memory: memory, disk: disk)
    }

    func abandon() {}
}
