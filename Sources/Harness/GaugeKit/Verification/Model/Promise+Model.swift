import Platform

extension Promise {
    /// Promises that random sequences of operations try.
    package static let models = [
        modelled(
            "model-answers", "after any operations an answer is the version stored last, or a miss", .answers,
            sequences: 128),
        modelled(
            "model-killed", "a killed process leaves no part of an entry, and nothing that it had removed or replaced",
            .killed, sequences: 12,
            needs: [.disk, .persistence]),
        modelled(
            "model-held", "memory stays within its capacity, and holds what was used since half of it was filled",
            .held, sequences: 96, needs: [.memory, .capacity], policies: [.lru]),
        modelled(
            "model-kept", "nothing is lost while there is room for many times what was stored", .kept, sequences: 64),
        modelled(
            "model-usage", "the reported usage is that of the entries, whatever happened before", .usage,
            sequences: 96, needs: .capacity),
        modelled(
            "model-threads", "after any operations of several threads an answer is a whole, current version", .threads,
            sequences: 64, needs: .threads),
        Promise("model-keys", "262,144 keys, and keys with the same weak hash, are never confused") {
            try ManyKeys.check($0)
        },
    ]

    private static func modelled(
        _ name: String, _ summary: String, _ kind: ModelSequence.Kind, sequences: Int,
        needs: SubjectCapabilities = [],
        policies: Set<SubjectEvictionPolicy> = Set(SubjectEvictionPolicy.allCases)
    ) -> Promise {
        Promise(name, summary, needs: needs, holdsOfEntries: true, policies: policies, sequences: kind) {
            let isTooShort =
                switch kind {
                case .held: ModelSequence.largest($0.limits, of: 100_000) < 2_100
                case .kept: $0.length(4_040, in: 8 << 20) < 4_040
                default: false
                }
            if isTooShort {
                throw PromiseNotApplicable(description: "what it stores is too short to fill it, by its limits")
            }
            if kind == .held, try !EvictionOrder.isOne($0) {
                throw PromiseNotApplicable(description: "it evicts by parts, such as shards, or at random")
            }
            try ModelSearch(kind, sequences: sequences, on: $0).run()
        }
    }

    /// The sequence of a seed, if random sequences try the promise.
    func sequence(seed: UInt64, capabilities: SubjectCapabilities) -> ModelSequence? {
        sequences.map { ModelSequence($0, seed: seed, capabilities: capabilities) }
    }
}

/// Whether a memory tier evicts in one order. Shards evict in their own orders, and a cache that evicts by samples has
/// none: then later uses of other entries don't tell whether an entry is held.
enum EvictionOrder {
    /// Stores twice as much as fits, and checks whether the entries left are those stored last. Those stored first are
    /// one order, too: the wrong one, which the sequences then show.
    static func isOne(_ trial: Trial) throws -> Bool {
        try trial.silently(true) {
            let memory = 150_000
            let bytes = trial.length(5_000, in: memory)
            let count = 2 * memory / bytes
            try trial.begin(memory: memory)
            defer { trial.clean() }
            try trial.storeMany(0..<count, bytes: bytes)
            let left = try trial.foundMany(0..<count)
            // If nothing is left, e.g. because the largest body is part of a shard, nothing is known.
            return !left.isEmpty && (left == Array(count - left.count..<count) || left == Array(0..<left.count))
        }
    }
}
