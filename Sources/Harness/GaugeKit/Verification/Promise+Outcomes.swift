extension Promise {
    /// Promises about what a cache reports of its operations: a run's rows and ratios count these reports.
    package static let outcomes = [
        // Many keys, since one shard of several may report something else.
        Promise("told-tier", "a hit is reported from the tier that answered") { trial in
            let tiers: [(tier: SubjectCapabilities, outcomes: Set<Outcome>)] = [
                (.memory, [.memoryHit, .hit]), (.disk, [.diskHit, .hit]),
            ]
            for (tier, outcomes) in tiers where trial.capabilities.contains(tier) {
                try trial.begin(memory: tier == .memory ? 1 << 22 : 0, disk: tier == .disk ? 1 << 22 : 0)
                for _ in 0..<2 {
                    try trial.storeMany(0..<64, bytes: 1_000)
                    for request in (0..<64).map(Trial.many) {
                        let (outcome, body) = try trial.driven().answer(request)
                        guard body != nil, !outcomes.contains(outcome) else { continue }
                        trial.note("look up \(request.text)")
                        throw PromiseBroken("reported the outcome \(outcome.rawValue)")
                    }
                }
            }
        },
        Promise(
            "told-memory", "memory does not answer for more than it can hold", needs: [.memory, .disk, .capacity]
        ) { trial in
            let capacity = 200_000
            try trial.begin(memory: capacity, disk: 1 << 22)
            try trial.storeMany(0..<100, bytes: 5_000)
            trial.note("look all of them up")
            let hits = try (0..<100).count { try trial.driven().answer(Trial.many($0)).outcome == .memoryHit }
            try expect(hits * 5_000 <= capacity, "\(hits) of them reported as held in \(capacity) bytes of memory")
        },
        Promise(
            "told-eviction", "a store that evicts nothing does not report an eviction", needs: .capacity,
            holdsOfEntries: true
        ) { trial in
            try trial.begin(memory: 1 << 22)
            // New entries, then replacements by bodies of the same length, longer and shorter.
            for bytes in [1_000, 1_000, 1_500, 500] {
                for request in (0..<128).map(Trial.many) {
                    let outcome = try trial.withBody(request, bytes: bytes, version: 1) {
                        try trial.driven().store(request, $0)
                    }
                    guard outcome != .store else { continue }
                    trial.note("store \(request.text), \(bytes) bytes")
                    throw PromiseBroken("reported the outcome \(outcome.rawValue)")
                }
                trial.note("store \(Trial.many(0).url) to …/127, \(bytes) bytes each")
            }
        },
        Promise(
            "told-evictions", "where evictions are reported, each store that evicts reports it",
            needs: [.memory, .capacity], holdsOfEntries: true
        ) { trial in
            var always: Set<Int>?
            for _ in 0..<5 {
                let stores = try overfill(trial)
                let told = stores.count { $0.isTold }
                let silent = Set(stores.indices.filter { stores[$0].hasEvicted && !stores[$0].isTold })
                try require(told > 0, "it reports no evictions")
                // An eviction by a background thread can't be reported, and hits another entry each time.
                try expect(
                    silent.count <= told / 10, "\(silent.count) stores evicted without a report, \(told) with one")
                always = always.map { $0.intersection(silent) } ?? silent
            }
            guard let first = always?.min() else { return }
            trial.note("do the same four times more")
            throw PromiseBroken("the store of \(Trial.many(first).url) evicts each time, and never reports it")
        },
        Promise(
            "counted-evictions", "the counter of evictions counts each evicted entry once",
            needs: [.memory, .capacity, .counters], holdsOfEntries: true
        ) { trial in
            try trial.begin(memory: 1 << 22)
            for bytes in [1_000, 1_000, 1_500] { try trial.storeMany(0..<64, bytes: bytes) }
            trial.note("remove all of them")
            for request in (0..<64).map(Trial.many) { try trial.driven().removeEntry(request) }
            let before = try evictions(trial)
            try expect(before == 0, "\(before) evictions counted, although there is room for all of them")
            let stores = try overfill(trial)
            let counted = try evictions(trial)
            let left = try trial.foundMany(stores.indices).count
            let told = stores.count { $0.isTold }
            try expect(
                counted <= stores.count - left,
                "\(counted) evictions counted; of \(stores.count) entries, each stored once, \(left) are left")
            try expect(counted >= told, "\(counted) evictions counted, \(told) reported by stores")
        },
    ]

    private static func evictions(_ trial: Trial) throws -> Int {
        let counters = try trial.driven().counters.filter { $0.key.hasSuffix("evictions") }
        try require(!counters.isEmpty, "none of its counters is named evictions")
        // A counter of all of them may stand beside others of some.
        return counters["evictions"] ?? counters.values.reduce(0) { $0.addingClamped($1) }
    }

    /// Stores several times as many entries as fit; returns whether each store reported an eviction, and whether it
    /// evicted.
    private static func overfill(_ trial: Trial) throws -> [(isTold: Bool, hasEvicted: Bool)] {
        let count = 120
        try trial.begin(memory: 200_000)
        let subject = try trial.driven()
        trial.note("store \(Trial.many(0).url) to …/\(count - 1), 4500 to 5499 bytes each")
        return try (0..<count).map { number in
            let request = Trial.many(number)
            let before = subject.usage.memoryEntries
            // Of many lengths, since a report may depend on them.
            let outcome = try trial.withBody(request, bytes: 4_500 + number * 37 % 1_000, version: 1) {
                try subject.store(request, $0)
            }
            guard let before, let after = subject.usage.memoryEntries else { return (outcome == .storeEvict, false) }
            // A body that wasn't admitted evicted nothing.
            let hasEvicted = try after < before || (after == before && trial.found(request) != nil)
            return (outcome == .storeEvict, hasEvicted)
        }
    }
}
