protocol ModelJudge {
    /// Judges a finished step.
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
                    capacity: sequence.memory, entryBytes: trial.countsEntries ? Trial.bytesPerEntry : nil,
                    limits: trial.limits),
                hasDisk: sequence.disk > 0)
        case .usage: UsageJudge()
        }
    }
}

/// Compares the answered versions with the model's.
private struct AnswerJudge: ModelJudge {
    private var model = AnswerModel()
    private var hasTier = true
    /// Whether the subject was opened with a tier, which ``SubjectConfiguration/hitOfUnknownTier`` depends on.
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

    /// With one tier, an answer can come from nowhere else.
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
        case .removeAll: model.removeAll()
        case .settle, .removeLater, .readUsage, .reopen, .kill: break
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

/// The versions that a cache may answer, by key.
///
/// A miss is always allowed, since a cache may forget. Otherwise only the version stored last may answer, if it wasn't
/// removed. After a kill so may any version that was current since the cache was last settled, until an answer shows
/// which of them was on disk.
package struct AnswerModel {
    /// Stands for an entry that was removed or never stored.
    private static let nothing: UInt64 = 0
    private var possible: [Int: Set<UInt64>] = [:]
    private var unsettled: [Int: Set<UInt64>] = [:]

    package init() {}

    package mutating func store(_ key: Int, version: UInt64) { change(key, to: version) }

    package mutating func remove(_ key: Int) { change(key, to: Self.nothing) }

    private mutating func change(_ key: Int, to version: UInt64) {
        unsettled[key, default: possible[key] ?? [Self.nothing]].insert(version)
        possible[key] = [version]
    }

    /// All changes are on disk.
    package mutating func settle() { unsettled = [:] }

    /// The process was killed: changes since the last settling may be lost.
    package mutating func kill() {
        for (key, versions) in unsettled { possible[key] = versions }
        unsettled = [:]
    }

    package func mayAnswer(_ key: Int, version: UInt64) -> Bool { possible[key]?.contains(version) == true }

    /// The version was answered; from now on only it may be.
    package mutating func answered(_ key: Int, version: UInt64) { possible[key] = [version] }

    /// The versions that may be answered, for a message.
    package func text(_ key: Int) -> String {
        let versions = (possible[key] ?? []).subtracting([Self.nothing]).sorted()
        return versions.isEmpty ? "nothing" : "version " + versions.map(String.init).joined(separator: " or ")
    }
}

/// Demands every entry: the tiers have room for many times what a sequence stores, so no policy has a reason to evict.
/// What memory evicts when its capacity falls is on disk.
struct KeptJudge: ModelJudge {
    private var kept: Set<Int> = []
    private let survivesReopening: Bool

    /// - Parameter survivesReopening: whether settled entries are found when the subject is opened again.
    init(survivesReopening: Bool) { self.survivesReopening = survivesReopening }

    mutating func judge(_ step: ModelStep, version: UInt64, _ answer: ModelAnswer, _ sequence: ModelSequence) throws {
        switch step {
        case .store(let key, _), .kill(let key, _): kept.insert(key)
        case .remove(let key): kept.remove(key)
        case .removeAll: kept = []
        case .reopen: if !survivesReopening { kept = [] }
        case .lookUp(let key):
            guard kept.contains(key), case .missed = answer else { return }
            throw PromiseBroken("found nothing, although there is room for many times as much as was stored")
        case .settle, .removeLater, .readUsage, .resize: break
        }
    }

    func end(_ sequence: ModelSequence, _ trial: Trial) {}

    /// Whether entries are found after reopening. With both tiers, some caches write to disk only what memory evicts,
    /// and then not a single one is.
    static func survivesReopening(_ sequence: ModelSequence, _ trial: Trial) throws -> Bool {
        guard sequence.disk > 0, trial.capabilities.contains(.persistence) else { return false }
        guard sequence.memory > 0 else { return true }
        if let known = trial.keepsMemoryWhenReopened { return known }
        let keeps = try trial.silently(true) {
            try trial.begin(memory: 8 << 20, disk: sequence.disk)
            defer { trial.clean() }
            try trial.storeMany(0..<40, bytes: 1_000)
            try trial.reopen(memory: 8 << 20, disk: sequence.disk)
            return try (0..<40).contains { try trial.found(Trial.many($0)) != nil }
        }
        trial.keepsMemoryWhenReopened = keeps
        return keeps
    }
}

/// The entries that a memory tier must still hold: those after whose last use so little was used that it all fits into
/// half of the capacity. Exact LRU holds twice as much, so evicting by shard or sample is allowed.
package struct RecencyModel {
    private struct Use {
        let key: Int
        let cost: Int
        /// The smallest capacity since the use.
        var capacity: Int
        /// Whether the entry was certainly in memory after the use.
        let isHeld: Bool
    }

    /// Assumed bytes of an entry beside its body: more than any known cache needs.
    private static let overhead = 1_024
    private var capacity: Int
    /// Oldest first.
    private var uses: [Use] = []
    private var bytes: [Int: Int] = [:]

    /// The bytes of capacity for each entry, whatever its length; `nil` if bytes are counted.
    private let entryBytes: Int?
    /// The length of a body that the subject declares not to admit.
    private let limits: SubjectLimits

    package init(capacity: Int, entryBytes: Int? = nil, limits: SubjectLimits = SubjectLimits()) {
        (self.capacity, self.entryBytes, self.limits) = (capacity, entryBytes, limits)
    }

    /// A store; a body of more than 5 % of the capacity, or of the declared length, needn't be admitted.
    package mutating func store(_ key: Int, bytes count: Int) {
        bytes[key] = count
        use(key, isHeld: entryBytes != nil || count + Self.overhead <= ModelSequence.largest(limits, of: capacity))
    }

    package mutating func hit(_ key: Int, isHeld: Bool?) { use(key, isHeld: isHeld ?? mustHold(key)) }

    package mutating func remove(_ key: Int) {
        uses.removeAll { $0.key == key }
        bytes[key] = nil
    }

    package mutating func removeAll() { (uses, bytes) = ([], [:]) }

    package mutating func resize(_ capacity: Int) {
        self.capacity = capacity
        for index in uses.indices { uses[index].capacity = min(uses[index].capacity, capacity) }
    }

    package func mustHold(_ key: Int) -> Bool {
        guard let place = uses.firstIndex(where: { $0.key == key }), uses[place].isHeld else { return false }
        return uses[place...].reduce(0) { $0 + $1.cost } <= uses[place].capacity / 2
    }

    private mutating func use(_ key: Int, isHeld: Bool) {
        uses.removeAll { $0.key == key }
        let cost = entryBytes ?? (bytes[key] ?? 0) + Self.overhead
        uses.append(Use(key: key, cost: cost, capacity: capacity, isHeld: isHeld))
    }
}
