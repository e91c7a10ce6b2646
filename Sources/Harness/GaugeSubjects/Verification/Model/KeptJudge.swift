import GaugeMeasurement

/// Demands every entry: the tiers have room for many times what a sequence stores, so that no policy has a reason to
/// evict. An entry that memory evicts when its capacity falls is on disk.
struct KeptJudge: ModelJudge {
    /// The entries that are there.
    private var kept: Set<Int> = []
    private let survivesReopening: Bool

    /// - Parameter survivesReopening: whether entries that were settled are found when the subject is opened again.
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

    /// Whether entries are found after the subject was opened again. With both tiers, some caches write to the disk only
    /// what memory evicts: then not a single one is.
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
