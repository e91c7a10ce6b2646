/// Compares the reported usage at the end with the bodies found, with that of a new cache given the same entries once,
/// and, after removing all, with that of an empty one.
struct UsageJudge: ModelJudge {
    private var steps: [Int] = []

    mutating func judge(_ step: ModelStep, version: UInt64, _ answer: ModelAnswer, _ sequence: ModelSequence) {
        steps.append(Int(truncatingIfNeeded: version) - 1)
    }

    func end(_ sequence: ModelSequence, _ trial: Trial) throws {
        let isOnDisk = sequence.memory == 0
        let current = { try TierUsage(trial.driven().usage, isOnDisk: isOnDisk) }
        let usage = try current()
        try require(usage.bytes != nil || usage.entries != nil, "it does not say what it holds")
        trial.note("look up all keys and remove them; do the same in a new cache; compare the usages")
        var (stores, bodies): ([Int], Int) = ([], 0)
        let subject = LocalSteps(sequence, trial)
        // Every sequence ends with these lookups.
        for number in sequence.steps.indices.suffix(sequence.keys.count) {
            guard case .found(_, let version, let count, _) = try subject.perform(number) else { continue }
            bodies += count
            stores.append(Int(truncatingIfNeeded: version) - 1)
        }
        if let bytes = usage.bytes {
            try expect(bytes >= bodies, "\(bytes) bytes in use, although \(bodies) bytes of bodies were found")
        }
        try TierUsage.expectNothing(trial, after: sequence.keys, capacity: sequence.memory, isOnDisk: isOnDisk)
        if !isOnDisk { try expectNoDrift(sequence, trial) { try current().bytes } }
        try trial.replace(memory: sequence.memory, disk: sequence.disk)
        let remaining = stores.sorted().filter(sequence.steps.indices.contains)
        for number in remaining { _ = try subject.perform(number) }
        let afresh = try current()
        // A cache that chooses victims at random holds others.
        for key in remaining.compactMap({ sequence.steps[$0].key }) {
            guard try trial.driven().body(of: sequence.keys[key]) != nil else { return }
        }
        if let entries = usage.entries, let once = afresh.entries {
            try expect(
                abs(entries - once) <= once / 10 + 1,
                "\(entries) entries in use; a new cache with the same \(stores.count) entries has \(once)")
        }
        // Files may hold replaced or removed entries.
        guard !isOnDisk, let bytes = usage.bytes, let once = afresh.bytes else { return }
        try expect(
            abs(bytes - once) <= once / 10 + 1_024,
            "\(bytes) bytes in use; a new cache with the same \(stores.count) entries uses \(once)")
    }
}

extension UsageJudge {
    /// Some sequences are enough; a failure that is being shrunk is one of them.
    static func triesDrift(seed: UInt64) -> Bool { seed % 4 < 2 }

    /// Repeats the steps again and again, removing all keys after each part. A few bytes counted too much or too little
    /// with each operation add up, however small beside an entry.
    private func expectNoDrift(_ sequence: ModelSequence, _ trial: Trial, usage: () throws -> Int?) throws {
        guard Self.triesDrift(seed: sequence.seed), !steps.isEmpty else { return }
        let (subject, laps) = (LocalSteps(sequence, trial), 1 + 2_000 / steps.count)
        var usages: [Int] = []
        for _ in 0..<4 {
            for _ in 0..<laps { for number in steps { _ = try subject.perform(number) } }
            for key in sequence.keys { try trial.driven().removeEntry(key) }
            guard let bytes = try usage() else { return }
            usages.append(bytes)
        }
        let growths = zip(usages.dropFirst(), usages).map { $0 - $1 }
        // One change for each 64 operations, always in the same direction.
        let least = laps * steps.count / 64
        guard growths.allSatisfy({ $0 >= least }) || growths.allSatisfy({ $0 <= -least }) else { return }
        trial.note("do all of this \(laps) times, remove all keys, and read the usage; the same three times more")
        throw PromiseBroken(
            "\(usages.map(String.init).joined(separator: ", ")) bytes in use, each time without an entry")
    }
}

struct TierUsage {
    let bytes: Int?
    let entries: Int?

    init(_ usage: SubjectUsage, isOnDisk: Bool) {
        bytes = isOnDisk ? usage.diskBytes : usage.memoryBytes
        entries = isOnDisk ? usage.diskEntries : usage.memoryEntries
    }

    /// Removes all keys, and compares the usage with an empty cache's.
    ///
    /// - Throws: ``PromiseBroken``; errors of the subject.
    static func expectNothing(_ trial: Trial, after keys: [SubjectRequest], capacity: Int, isOnDisk: Bool) throws {
        for key in keys { try trial.driven().removeEntry(key) }
        let emptied = try TierUsage(trial.driven().usage, isOnDisk: isOnDisk)
        if let entries = emptied.entries {
            try expect(abs(entries) <= 1, "\(entries) entries in use after all keys were removed")
        }
        guard !isOnDisk, let bytes = emptied.bytes else { return }
        // A cache may count a table that has grown.
        let most = capacity / 50 + 1_024
        try expect(abs(bytes) <= most, "\(bytes) bytes in use after all keys were removed")
    }
}
