extension Promise {
    /// Promises about entries in use, and about those that every cache has room for.
    package static let uses = [
        Promise("empty-body", "an entry without a body is found again") { trial in
            for tier in [SubjectCapabilities.memory, .disk] where trial.capabilities.contains(tier) {
                try trial.begin(memory: tier == .memory ? 1 << 20 : 0, disk: tier == .disk ? 1 << 20 : 0)
                let request = SubjectRequest("https://a.example/empty")
                try trial.storeEmpty(request)
                try expectEmpty(trial, request)
                try trial.storeMany(0..<20, bytes: 1_000)
                try expectEmpty(trial, request)
                // It's a version like any other.
                let other = SubjectRequest("https://a.example/emptied")
                try trial.store(other)
                try trial.storeEmpty(other)
                try expectEmpty(trial, other)
                guard tier == .disk, trial.capabilities.contains(.persistence) else { continue }
                try trial.closeAndOpen(memory: 0, disk: 1 << 20)
                for request in [request, other] { try expectEmpty(trial, request) }
            }
        },
        Promise("caller-copy", "what a caller changes of a body stays the caller's") { trial in
            for tier in [SubjectCapabilities.memory, .disk] where trial.capabilities.contains(tier) {
                try trial.begin(memory: 1 << 20, disk: tier == .disk ? 1 << 20 : 0)
                let requests = (0..<16).map(Trial.many)
                // Of many lengths: short ones may be copied where long ones are shared.
                for (number, request) in requests.enumerated() {
                    try trial.store(request, bytes: trial.length(64 << (number % 9), in: 1 << 20))
                }
                for request in requests {
                    trial.note("look \(request.text) up twice, and change the first body")
                    let other = try trial.driven().changeBody(request)
                    try expect(other != nil, "found nothing")
                    if let other { _ = try trial.version(of: other, for: request) }
                    try expect(trial.lookUp(request) != nil, "found nothing afterwards")
                }
            }
        },
        Promise(
            "used-kept", "an entry that is used again and again outlives entries that are used once", needs: .capacity,
            holdsOfEntries: true
        ) { trial in
            try require(trial.order.keepsUsed, "it says that uses do not keep an entry")
            let (bytes, fitting) = (try usualLength(trial), try fittingCount(trial))
            try trial.begin(memory: roomy)
            // Stored again after a miss: some caches keep an entry only when it's stored for the second time.
            let used = 0..<8
            var gone = [Int](repeating: 0, count: used.count)
            trial.note(
                "look \(Trial.many(0).url) to …/\(used.count - 1) up again and again, store what is missing, "
                    + "and store \(8 * fitting) other entries meanwhile, \(bytes) bytes each")
            for number in 0..<8 * fitting {
                try trial.quietly(Trial.many(used.count + number), bytes: bytes, version: 1)
                guard number % 4 == 0 else { continue }
                for key in used where try trial.found(Trial.many(key)) == nil {
                    try trial.quietly(Trial.many(key), bytes: bytes, version: 1)
                    // A cache may need time to learn what is used.
                    if number > 4 * fitting { gone[key] += 1 }
                }
            }
            // First in, first out: four times each. A small shard may lose all its entries now and then.
            let often = gone.count { $0 > 1 }
            try expect(often <= used.count / 4, "\(often) of \(used.count) entries are gone again and again")
        },
    ]

    private static func expectEmpty(_ trial: Trial, _ request: SubjectRequest) throws {
        trial.note("look up \(request.text)")
        let body = try trial.driven().body(of: request)
        try expect(body != nil, "found nothing")
        try expect(body?.isEmpty == true, "found \(body?.count ?? 0) bytes")
    }
}
