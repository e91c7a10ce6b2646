import GaugeMeasurement

/// Judges the answers of one run.
protocol ModelJudge {
    /// Judges one step, which has been carried out.
    ///
    /// - Throws: ``PromiseBroken``.
    mutating func judge(_ step: ModelStep, version: UInt64, _ answer: ModelAnswer, _ sequence: ModelSequence) throws
    /// Judges the subject after the last step.
    func end(_ sequence: ModelSequence, _ trial: Trial) throws
}

extension ModelSequence.Kind {
    func judge(_ sequence: ModelSequence, _ trial: Trial) throws -> any ModelJudge {
        switch self {
        case .kept: KeptJudge(survivesReopening: try KeptJudge.survivesReopening(sequence, trial))
        case .answers, .killed, .threads: AnswerJudge()
        case .held:
            HeldJudge(
                RecencyModel(
                    capacity: sequence.memory, entryBytes: trial.countsEntries ? Trial.bytesPerEntry : nil),
                hasDisk: sequence.disk > 0)
        case .usage: UsageJudge()
        }
    }
}

/// Compares the answered versions with the model's.
private struct AnswerJudge: ModelJudge {
    private var model = AnswerModel()
    private var hasTier = true
    /// Whether the subject was opened with a tier, from which ``SubjectConfiguration/hitOfUnknownTier`` follows.
    private var tellsTier = true

    mutating func judge(_ step: ModelStep, version: UInt64, _ answer: ModelAnswer, _ sequence: ModelSequence) throws {
        switch step {
        case .store(let key, _): model.store(key, version: version)
        case .remove(let key): model.remove(key)
        case .removeAll: for key in sequence.keys.indices { model.remove(key) }
        case .settle: model.settle()
        case .reopen:
            model.settle()
            tellsTier = hasTier
        case .kill(let key, _):
            model.store(key, version: version)
            model.kill()
            tellsTier = hasTier
        case .resize(let memory, let disk): hasTier = memory > 0 || disk > 0
        case .lookUp(let key):
            guard case .found(_, let found, _, let outcome) = answer else { return }
            try expect(
                model.mayAnswer(key, version: found),
                "found version \(found); right would be \(model.text(key)), or a miss")
            model.answered(key, version: found)
            try judge(outcome, sequence)
        case .removeLater, .readUsage: break
        }
    }

    /// A cache of one tier has nowhere else to find an answer.
    private func judge(_ outcome: Outcome, _ sequence: ModelSequence) throws {
        guard tellsTier, sequence.memory == 0 || sequence.disk == 0 else { return }
        try expect(
            outcome == .hit || outcome == (sequence.disk == 0 ? .memoryHit : .diskHit),
            "reported the outcome \(outcome.rawValue), although \(sequence.disk == 0 ? "there is no disk tier" : "it has no memory")"
        )
    }

    func end(_ sequence: ModelSequence, _ trial: Trial) {}
}

/// Notes which entries memory must still hold.
private struct HeldJudge: ModelJudge {
    private var model: RecencyModel
    private var hasDisk: Bool

    init(_ model: RecencyModel, hasDisk: Bool) {
        self.model = model
        self.hasDisk = hasDisk
    }

    mutating func judge(_ step: ModelStep, version: UInt64, _ answer: ModelAnswer, _ sequence: ModelSequence) throws {
        switch step {
        case .store(let key, let bytes): model.store(key, bytes: bytes)
        case .remove(let key): model.remove(key)
        case .resize(let memory, let disk):
            model.resize(memory)
            hasDisk = disk > 0
        case .lookUp(let key): try judge(key, answer)
        case .settle, .removeLater, .removeAll, .readUsage, .reopen, .kill: break
        }
    }

    private mutating func judge(_ key: Int, _ answer: ModelAnswer) throws {
        let reason = "although all that was used since then fits into half of the memory"
        guard case .found(_, _, _, let outcome) = answer else {
            try expect(!model.mustHold(key), "found nothing, \(reason)")
            return model.remove(key)
        }
        switch outcome {
        case .memoryHit: model.hit(key, isHeld: true)
        case .promotion:
            try expect(!model.mustHold(key), "found it on disk alone, \(reason)")
            model.hit(key, isHeld: true)
        case .diskHit:
            try expect(!model.mustHold(key), "found it on disk alone, \(reason)")
            model.hit(key, isHeld: false)
        default: model.hit(key, isHeld: hasDisk ? nil : true)
        }
    }

    func end(_ sequence: ModelSequence, _ trial: Trial) {}
}
