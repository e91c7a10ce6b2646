extension Promise {
    private static let memory = 200_000
    private static let disk = 1 << 20

    /// Promises about capacities.
    package static let capacities = [
        Promise("memory-held", "memory never holds more than its capacity", needs: [.memory, .capacity]) { trial in
            try trial.begin(memory: memory)
            _ = try memoryUsage(trial)
            for bytes in [1_000, 9_000, 100, 5_000] {
                try trial.storeMany(0..<150, bytes: bytes) { _ in
                    let usage = try memoryUsage(trial)
                    try expect(usage <= memory, "\(usage) bytes in use of \(memory)")
                }
            }
        },
        Promise("disk-held", "the directory never holds more bytes than the disk capacity", needs: [.disk, .capacity]) {
            trial in
            try trial.begin(memory: 0, disk: disk)
            for bytes in [4_096, 40_000, 500] {
                try trial.storeMany(0..<80, bytes: bytes) { _ in
                    let onDisk = trial.bytesOnDisk()
                    try expect(onDisk <= disk, "\(onDisk) bytes on disk of \(disk)")
                }
            }
        },
        Promise("memory-truncated", "lowering the memory capacity truncates at once", needs: [.memory, .resize]) {
            trial in
            try trial.begin(memory: memory)
            _ = try memoryUsage(trial)
            try trial.storeMany(0..<60, bytes: 3_000)
            try trial.resize(memory: memory / 4, disk: 0)
            let usage = try memoryUsage(trial)
            try expect(usage <= memory / 4, "\(usage) bytes in use of \(memory / 4)")
            try allIntact(trial, 0..<60)
        },
        Promise("disk-truncated", "lowering the disk capacity truncates at once", needs: [.disk, .resize]) { trial in
            try trial.begin(memory: 0, disk: disk)
            try trial.storeMany(0..<60, bytes: 10_000)
            try trial.resize(memory: 0, disk: disk / 4)
            let onDisk = trial.bytesOnDisk()
            try expect(onDisk <= disk / 4, "\(onDisk) bytes on disk of \(disk / 4)")
            try allIntact(trial, 0..<60)
        },
        Promise("too-large", "a body of more than 5 % of a tier is not stored in it", needs: [.memory, .capacity]) {
            trial in
            try trial.begin(memory: memory)
            try trial.store(SubjectRequest("https://a.example/large"), bytes: memory / 20 + 1)
            try expect(try trial.lookUp(SubjectRequest("https://a.example/large")) == nil, "found it")
        },
        Promise(
            "superseded", "a version that is too large removes the one before it from every tier",
            needs: [.memory, .capacity]
        ) { trial in
            let request = SubjectRequest("https://a.example/p")
            let hasDisk = trial.capabilities.contains(.disk)
            try trial.begin(memory: memory, disk: hasDisk ? memory : 0)
            try trial.store(request)
            try trial.store(request, bytes: memory / 20 + 1, version: 2)
            try expect(try trial.lookUp(request) != 1, "the earlier version is back")
        },
        Promise("capacity-zero", "capacities of 0 mean no cache") { trial in
            try trial.begin(memory: 0, disk: 0)
            try trial.store(SubjectRequest("https://a.example/p"))
            try expect(try trial.lookUp(SubjectRequest("https://a.example/p")) == nil, "found something")
        },
    ]

    private static func memoryUsage(_ trial: Trial) throws -> Int {
        guard let bytes = try trial.driven().usage.memoryBytes else {
            throw PromiseNotApplicable(description: "it does not say what its memory holds")
        }
        return bytes
    }

    private static func allIntact(_ trial: Trial, _ range: Range<Int>) throws {
        trial.tell("look all of them up")
        for number in range { _ = try trial.found(Trial.many(number)) }
    }
}

extension Promise {
    /// Promises about eviction.
    package static let eviction = [
        Promise(
            "lru", "the most recently used entry is evicted last", needs: [.memory, .capacity], policies: [.lru]
        ) { trial in
            let fitting = try fittingCount(trial)
            try trial.begin(memory: memory)
            try trial.storeMany(0..<fitting, bytes: 5_000)
            try expect(try trial.lookUp(Trial.many(0)) == 1, "found nothing, although all of them fit")
            try trial.storeMany(fitting..<(fitting + 1), bytes: 5_000)
            try expect(
                try trial.lookUp(Trial.many(0)) == 1, "it is gone, although it was used last of all that were there")
        },
        Promise(
            "gdsf", "with the policy gdsf the entry of most uses is evicted last, of entries of one size",
            needs: [.memory, .capacity], policies: [.gdsf]
        ) { trial in
            try trial.begin(memory: memory)
            try trial.storeMany(0..<20, bytes: 5_000)
            for _ in 0..<8 {
                try expect(try trial.lookUp(Trial.many(0)) == 1, "found nothing, although all of them fit")
            }
            try trial.storeMany(20..<120, bytes: 5_000)
            try expect(try trial.lookUp(Trial.many(0)) == 1, "it is gone, although it was used most often")
        },
        twice(
            "twice-evicted-memory", "a key stored twice can be evicted from memory", memory: memory, disk: 0, [.memory]),
        twice("twice-evicted-disk", "a key stored twice can be evicted from disk", memory: 0, disk: memory, [.disk]),
        Promise("overwritten", "a second version replaces the first") { trial in
            let request = SubjectRequest("https://a.example/p")
            try trial.begin()
            try trial.store(request)
            try trial.store(request, bytes: 2_000, version: 2)
            try expect(try trial.lookUp(request) == 2, "not the second version")
        },
        Promise("removed", "a removal removes the entry, and nothing else") { trial in
            let (one, other) = (SubjectRequest("https://a.example/1"), SubjectRequest("https://a.example/2"))
            try trial.begin()
            try trial.store(one)
            try trial.store(other)
            try trial.remove(one)
            try expect(try trial.lookUp(one) == nil, "found it")
            try expect(try trial.lookUp(other) == 1, "found nothing")
        },
    ]

    /// The number of entries of 5,000 bytes that fit: stores entries until the first one is evicted.
    private static func fittingCount(_ trial: Trial) throws -> Int {
        for count in 2...(memory / 5_000 + 2) {
            try trial.begin(memory: memory)
            try trial.storeMany(0..<count, bytes: 5_000)
            if try trial.lookUp(Trial.many(0)) == nil { return count - 1 }
            trial.clean()
        }
        throw PromiseBroken("the first is still there, although more were stored than fit")
    }

    private static func twice(
        _ name: String, _ summary: String, memory: Int, disk: Int, _ needs: SubjectCapabilities
    ) -> Promise {
        Promise(name, summary, needs: needs.union(.capacity)) { trial in
            let request = SubjectRequest("https://a.example/twice")
            try trial.begin(memory: memory, disk: disk)
            try trial.store(request)
            try trial.store(request, version: 2)
            try trial.storeMany(0..<60, bytes: 5_000)
            try expect(try trial.lookUp(request) != 1, "the first version is back")
        }
    }
}
