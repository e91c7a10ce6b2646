extension Promise {
    /// Promises about the lifetime of entries. Clocks may be as coarse as a second.
    package static let lifetimes = [
        Promise(
            "expired", "an entry is found before its lifetime is over, and neither found nor counted after it",
            needs: .expiry
        ) { trial in
            let has = trial.capabilities.contains
            // Below memory, most entries are only on disk.
            let hasBoth = has(.memory) && has(.disk)
            try trial.begin(
                memory: hasBoth ? 30_000 : has(.memory) ? 1 << 20 : 0, disk: has(.disk) ? 1 << 20 : 0, lifetime: 3)
            let others = 0..<120
            try trial.storeMany(0..<60, bytes: 1_000)
            let first = trial.now()
            let removed = SubjectRequest("https://a.example/removed")
            try trial.store(removed)
            try trial.remove(removed)
            try trial.store(request)
            let early = try trial.lookUp(request)
            // If the machine was busy for longer, this shows nothing.
            if trial.now() - first < 1.9 { try expect(early == 1, "found nothing, before its lifetime was over") }
            trial.wait(seconds: 2)
            let second = trial.now()
            try trial.store(request, version: 2)
            try trial.store(removed, version: 2)
            try trial.storeMany(60..<120, bytes: 1_000)
            trial.wait(seconds: 1.5)
            for request in [request, removed] {
                let renewed = try trial.lookUp(request)
                if trial.now() - second < 1.9 {
                    try expect(
                        renewed == 2, "found nothing, although it was stored again: that begins its lifetime anew")
                }
            }
            if has(.resize) {
                for part in [2, 1] {
                    try trial.resize(
                        memory: hasBoth ? 30_000 : has(.memory) ? (1 << 20) / part : 0,
                        disk: has(.disk) ? (1 << 20) / part : 0)
                }
            }
            trial.wait(seconds: 2.7)
            try expect(try trial.lookUp(request) == nil, "found it, although its lifetime is over")
            trial.note("look all of them up, and remove them")
            for number in others {
                try expect(try trial.found(Trial.many(number)) == nil, "found \(Trial.many(number).url)")
            }
            try TierUsage.expectNothing(
                trial, after: [request, removed] + others.map(Trial.many), capacity: 1 << 20, isOnDisk: !has(.memory))
        },
        Promise(
            "expired-reopened", "an entry whose lifetime ends while the cache is closed is not found again",
            needs: [.expiry, .disk, .persistence]
        ) { trial in
            try trial.begin(memory: 0, disk: 1 << 20, lifetime: 1)
            try trial.store(request)
            try trial.close()
            trial.wait(seconds: 2.1)
            try trial.open(memory: 0, disk: 1 << 20)
            try expect(try trial.lookUp(request) == nil, "found it")
        },
    ]
}
