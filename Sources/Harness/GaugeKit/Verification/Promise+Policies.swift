extension Promise {
    private static let disk = 1 << 20

    /// Promises about storage policies and removal by date.
    package static let policies = [
        Promise(
            "memory-only", "a memory-only entry never reaches the disk, evicted or not",
            needs: [.memory, .disk, .storagePolicy]
        ) { trial in
            try trial.begin(memory: 100_000, disk: disk)
            try trial.store(request, policy: .memoryOnly)
            try expect(try trial.lookUp(request) == 1, "found nothing")
            try expect(!trial.isOnDisk(request), "its bytes are in a file")
            try trial.storeMany(0..<60, bytes: 3_000)
            try expect(!trial.isOnDisk(request), "its bytes are in a file")
            try trial.close()
            try expect(!trial.isOnDisk(request), "its bytes are in a file")
            try trial.open(memory: 0, disk: disk)
            try expect(try trial.lookUp(request) == nil, "found it")
        },
        Promise(
            "memory-only-superseding", "a memory-only version removes the one before it from the disk",
            needs: [.memory, .disk, .persistence, .storagePolicy]
        ) { trial in
            try trial.begin(memory: 100_000, disk: disk)
            try trial.store(request)
            try trial.store(request, version: 2, policy: .memoryOnly)
            try expect(try trial.lookUp(request) == 2, "not the second version")
            try trial.closeAndOpen(memory: 100_000, disk: disk)
            try expect(try trial.lookUp(request) == nil, "found it")
        },
        Promise(
            "not-allowed", "a version that is not to be kept removes the one before it", needs: [.storagePolicy]
        ) { trial in
            let hasDisk = trial.capabilities.contains(.disk)
            try trial.begin(memory: trial.capabilities.contains(.memory) ? 100_000 : 0, disk: hasDisk ? disk : 0)
            try trial.store(request)
            try trial.store(request, version: 2, policy: .notAllowed)
            let found = try trial.lookUp(request)
            try expect(found == nil, "found version \(found ?? 0)")
        },
        removedSince("removed-since-memory", "memory", memory: 1 << 20, disk: 0, [.memory]),
        removedSince("removed-since-disk", "disk", memory: 0, disk: disk, [.disk]),
        Promise(
            "removed-since-reopened", "an entry removed since a date does not come back",
            needs: [.removalSince, .disk, .persistence]
        ) { trial in
            let (early, late) = (SubjectRequest("https://a.example/early"), SubjectRequest("https://a.example/late"))
            try trial.begin(memory: 0, disk: disk)
            try trial.store(early)
            let moment = trial.moment()
            try trial.store(late)
            // A use leaves the date of the store as it is.
            try expect(try trial.lookUp(early) == 1, "found nothing")
            try trial.removeAll(since: moment, "then")
            try trial.closeAndOpen(memory: 0, disk: disk)
            try expect(try trial.lookUp(late) == nil, "what was stored after the date is back")
            try expect(try trial.lookUp(early) == 1, "what was stored before the date is gone")
        },
    ]

    private static func removedSince(
        _ name: String, _ tier: String, memory: Int, disk: Int, _ needs: SubjectCapabilities
    ) -> Promise {
        Promise(
            name, "removal since a date removes from \(tier) what was stored after it, and nothing else",
            needs: needs.union(.removalSince)
        ) { trial in
            try tryRemoval(trial, memory: memory, disk: disk)
            // With both tiers, an entry's earlier version may be only on disk.
            guard disk > 0, trial.capabilities.contains(.memory) else { return }
            try tryRemoval(trial, memory: 1 << 20, disk: disk)
        }
    }

    private static func tryRemoval(_ trial: Trial, memory: Int, disk: Int) throws {
        let (early, late) = (SubjectRequest("https://a.example/early"), SubjectRequest("https://a.example/late"))
        try trial.begin(memory: memory, disk: disk)
        try trial.store(early)
        try trial.settle()
        let moment = trial.moment()
        try trial.store(late)
        // A use leaves the date of the store as it is.
        try expect(try trial.lookUp(early) == 1, "found nothing")
        try trial.removeAll(since: moment + 3_600, "an hour later")
        try expect(try trial.lookUp(late) == 1, "what was stored before the date is gone")
        try trial.removeAll(since: moment, "the moment between the two")
        try expect(try trial.lookUp(late) == nil, "what was stored after the date is there")
        try expect(try trial.lookUp(early) == 1, "what was stored before the date is gone")
        // An entry stored again has the time of the second store.
        let again = trial.moment()
        try trial.store(early, version: 2)
        try trial.removeAll(since: again, "the moment before that")
        let found = try trial.lookUp(early)
        try expect(found == nil, "found version \(found ?? 0)")
    }

    /// Promises about keys whose hashes collide.
    package static let collisions = [
        collided("colliding-memory", "memory", memory: 1 << 20, disk: 0, [.memory]),
        collided("colliding-disk", "disk", memory: 0, disk: disk, [.disk]),
    ]

    private static func collided(
        _ name: String, _ tier: String, memory: Int, disk: Int, _ needs: SubjectCapabilities
    ) -> Promise {
        Promise(
            name, "keys with the same hash are never answered with each other's body from \(tier)",
            needs: needs.union(.collisions)
        ) { trial in
            let (one, other) = (SubjectRequest("https://a.example/1"), SubjectRequest("https://a.example/2"))
            try trial.begin(memory: memory, disk: disk, collides: true)
            try trial.store(one)
            try expect(try trial.lookUp(other) == nil, "found something")
            try trial.store(other)
            try expect(try trial.lookUp(other) == 1, "found nothing")
            // One may have replaced the other, or both may be stored.
            _ = try trial.lookUp(one)
            try trial.remove(one)
            try expect(try trial.lookUp(one) == nil, "found it, although it was removed")
            _ = try trial.lookUp(other)
            try trial.storeMany(0..<50, bytes: 1_000)
            try trial.lookUpMany(0..<50)
            guard disk > 0, trial.capabilities.contains(.persistence) else { return }
            try trial.closeAndOpen(memory: memory, disk: disk)
            try trial.lookUpMany(0..<50)
        }
    }
}
