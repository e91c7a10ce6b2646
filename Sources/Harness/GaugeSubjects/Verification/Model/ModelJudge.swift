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
    func judge(_ sequence: ModelSequence) -> any ModelJudge {
        switch self {
        case .answers, .killed, .threads: AnswerJudge()
        case .held: HeldJudge(capacity: sequence.memory, hasDisk: sequence.disk > 0)
        case .usage: UsageJudge()
        }
    }
}

/// Compares the answered versions with the model's.
private struct AnswerJudge: ModelJudge {
    private var model = AnswerModel()

    mutating func judge(_ step: ModelStep, version: UInt64, _ answer: ModelAnswer, _ sequence: ModelSequence) throws {
        switch step {
        case .store(let key, _): model.store(key, version: version)
        case .remove(let key): model.remove(key)
        case .settle, .reopen: model.settle()
        case .kill(let key, _):
            model.store(key, version: version)
            model.kill()
        case .lookUp(let key):
            guard case .found(_, let found, _, _) = answer else { return }
            try expect(
                model.mayAnswer(key, version: found),
                "found version \(found); right would be \(model.text(key)), or a miss")
            model.answered(key, version: found)
        case .resize: break
        }
    }

    func end(_ sequence: ModelSequence, _ trial: Trial) {}
}

/// Notes which entries memory must still hold.
private struct HeldJudge: ModelJudge {
    private var model: RecencyModel
    private var hasDisk: Bool

    init(capacity: Int, hasDisk: Bool) {
        model = RecencyModel(capacity: capacity)
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
        case .settle, .reopen, .kill: break
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

/// Compares the reported usage at the end with the bodies found, with the usage of a new cache that was given the same
/// entries once, and with that of an empty one after all were removed.
private struct UsageJudge: ModelJudge {
    func judge(_ step: ModelStep, version: UInt64, _ answer: ModelAnswer, _ sequence: ModelSequence) {}

    func end(_ sequence: ModelSequence, _ trial: Trial) throws {
        let (reported, entries) = try { ($0.memoryBytes, $0.memoryEntries) }(trial.driven().usage)
        guard let usage = reported else {
            throw PromiseNotApplicable(description: "it does not say what its memory holds")
        }
        trial.tell("look up all keys and remove them; do the same in a new cache; compare the usages")
        var (stores, bodies): ([Int], Int) = ([], 0)
        let subject = LocalSteps(sequence, trial)
        // Every sequence ends with these lookups.
        for number in sequence.steps.indices.suffix(sequence.keys.count) {
            guard case .found(_, let version, let count, _) = try subject.perform(number) else { continue }
            bodies += count
            stores.append(Int(truncatingIfNeeded: version) - 1)
        }
        try expect(usage >= bodies, "\(usage) bytes in use, although \(bodies) bytes of bodies were found")
        for key in sequence.keys { try trial.driven().remove(key) }
        let emptied = try trial.driven().usage
        try trial.replace(memory: sequence.memory)
        let new = try trial.driven().usage
        try expect(
            (emptied.memoryBytes ?? 0) <= (new.memoryBytes ?? 0) + sequence.memory / 50 + 1_024,
            "\(emptied.memoryBytes ?? 0) bytes in use after all keys were removed")
        let remaining = stores.sorted().filter(sequence.steps.indices.contains)
        for number in remaining { _ = try subject.perform(number) }
        let afresh = try trial.driven().usage
        // A cache may choose its victims at random, and then holds others.
        for key in remaining.compactMap({ sequence.steps[$0].key }) {
            guard try trial.driven().lookUp(sequence.keys[key]) != nil else { return }
        }
        if let entries, let once = afresh.memoryEntries {
            try expect(
                abs(entries - once) <= once / 10 + 1,
                "\(entries) entries in memory; a new cache with the same \(stores.count) entries has \(once)")
        }
        let once = afresh.memoryBytes ?? 0
        try expect(
            abs(usage - once) <= once / 10 + 1_024,
            "\(usage) bytes in use; a new cache with the same \(stores.count) entries uses \(once)")
    }
}
