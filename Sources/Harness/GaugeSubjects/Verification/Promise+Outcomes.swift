import GaugeMeasurement

extension Promise {
    /// Promises about what a cache reports of its operations: the rows and ratios of a run count these reports.
    package static let outcomes = [
        Promise("told-tier", "a hit is reported from the tier that answered") { trial in
            let request = SubjectRequest("https://a.example/p")
            let tiers: [(tier: SubjectCapabilities, outcomes: Set<Outcome>)] = [
                (.memory, [.memoryHit, .hit]), (.disk, [.diskHit, .hit]),
            ]
            for (tier, outcomes) in tiers where trial.capabilities.contains(tier) {
                try trial.begin(memory: tier == .memory ? 1 << 20 : 0, disk: tier == .disk ? 1 << 20 : 0)
                try trial.store(request)
                trial.tell("look up \(request.text)")
                let (outcome, body) = try trial.driven().answer(request)
                try expect(body == nil || outcomes.contains(outcome), "reported the outcome \(outcome.rawValue)")
            }
        },
        Promise(
            "told-memory", "memory does not answer for more than it can hold", needs: [.memory, .disk, .capacity]
        ) { trial in
            let capacity = 200_000
            try trial.begin(memory: capacity, disk: 1 << 22)
            try trial.storeMany(0..<100, bytes: 5_000)
            trial.tell("look all of them up")
            let hits = try (0..<100).count { try trial.driven().answer(Trial.many($0)).outcome == .memoryHit }
            try expect(hits * 5_000 <= capacity, "\(hits) of them reported as held in \(capacity) bytes of memory")
        },
        Promise("told-eviction", "a store that evicts nothing does not report an eviction", needs: .capacity) { trial in
            try trial.begin(memory: 1 << 22)
            for number in 0..<20 {
                let request = Trial.many(number)
                trial.tell("store \(request.text), 1000 bytes")
                let outcome = try trial.withBody(request, bytes: 1_000, version: 1) {
                    try trial.driven().store(request, $0)
                }
                try expect(outcome == .store, "reported the outcome \(outcome.rawValue)")
            }
        },
    ]
}
