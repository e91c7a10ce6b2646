extension Promise {
    private static let memory = 200_000
    private static let disk = 1 << 20

    /// Promises about capacities.
    package static let capacities = [
        Promise("memory-held", "memory never holds more than its capacity", needs: [.memory, .capacity]) { trial in
            try trial.begin(memory: memory)
            for bytes in [1_000, 9_000, 100, 5_000] {
                // More than fit, since shards fill unevenly.
                let entries = 0..<max(150, 3 * memory / 2 / max(bytes, 800))
                try trial.storeMany(entries, bytes: bytes) { _ in
                    guard let usage = try trial.driven().usage.memoryBytes else { return }
                    try expect(usage <= memory, "\(usage) bytes in use of \(memory)")
                }
                // Whatever it says.
                let held = try trial.lookUpMany(entries).count * bytes
                try expect(held <= memory, "bodies of \(held) bytes are found, of a capacity of \(memory)")
            }
        },
        Promise("empty-held", "entries without a body take room in memory, too", needs: [.memory, .capacity]) { trial in
            let (capacity, count) = (1 << 15, 10_000)
            try trial.begin(memory: capacity)
            trial.note("store \(Trial.many(0).url) to …/\(count - 1), 0 bytes each")
            for number in 0..<count {
                try trial.driven().store(Trial.many(number), UnsafeRawBufferPointer(start: nil, count: 0))
            }
            trial.note("look all of them up")
            let held = try (0..<count).count { try trial.driven().body(of: Trial.many($0)) != nil }
            // A pointer for each would take the whole capacity.
            try expect(held <= capacity / 8, "\(held) entries are found, of a capacity of \(capacity) bytes")
        },
        Promise("disk-held", "the directory never holds more bytes than the disk capacity", needs: [.disk, .capacity]) {
            trial in
            try trial.begin(memory: 0, disk: disk)
            for (number, bytes) in [4_096, 40_000, 500, 40_000].enumerated() {
                try trial.storeMany(number * 40..<number * 40 + 80, bytes: bytes) { _ in
                    let onDisk = trial.bytesOnDisk()
                    try expect(onDisk <= disk, "\(onDisk) bytes on disk of \(disk)")
                }
                // Earlier entries count too.
                try trial.closeAndOpen(memory: 0, disk: disk)
            }
            try trial.closeAndOpen(memory: 0, disk: disk / 4)
            let onDisk = trial.bytesOnDisk()
            try expect(onDisk <= disk / 4, "\(onDisk) bytes on disk of \(disk / 4)")
        },
        Promise("entries-held", "memory never holds more entries than its limit", needs: [.memory, .entryLimit]) {
            trial in
            for limit in [1, 7, 150] {
                try trial.begin(entries: limit)
                // Twice the limit of new keys, then the last of them with another length, and others again.
                for (first, bytes) in [(0, 1_000), (limit, 4_000), (limit, 100), (0, 1_000)] {
                    try trial.storeMany(first..<first + limit, bytes: bytes) { _ in
                        guard let entries = try trial.driven().usage.memoryEntries else { return }
                        try expect(entries <= limit, "\(entries) entries in use of \(limit)")
                    }
                }
                let held = try trial.lookUpMany(0..<2 * limit).count
                try expect(held <= limit, "\(held) entries are found, of a limit of \(limit)")
            }
        },
        Promise("memory-truncated", "lowering the memory capacity truncates at once", needs: [.memory, .resize]) {
            trial in
            try trial.begin(memory: memory)
            try trial.storeMany(0..<60, bytes: 3_000)
            if trial.countsEntries {
                try trial.resize(memory: memory / 4, disk: 0)
                let held = try trial.lookUpMany(0..<60).count
                let limit = trial.entries(memory / 4)
                return try expect(held <= limit, "\(held) entries are found, of a limit of \(limit)")
            }
            _ = try memoryUsage(trial)
            try trial.resize(memory: memory / 4, disk: 0)
            let usage = try memoryUsage(trial)
            try expect(usage <= memory / 4, "\(usage) bytes in use of \(memory / 4)")
            try trial.lookUpMany(0..<60)
        },
        Promise("disk-truncated", "lowering the disk capacity truncates at once", needs: [.disk, .resize]) { trial in
            try trial.begin(memory: 0, disk: disk)
            try trial.storeMany(0..<60, bytes: 10_000)
            try trial.resize(memory: 0, disk: disk / 4)
            let onDisk = trial.bytesOnDisk()
            try expect(onDisk <= disk / 4, "\(onDisk) bytes on disk of \(disk / 4)")
            try trial.lookUpMany(0..<60)
        },
        Promise(
            "memory-raised", "a raised memory capacity holds more", needs: [.memory, .capacity, .resize],
            holdsOfEntries: true
        ) { trial in
            try trial.begin(memory: memory)
            try trial.resize(memory: memory / 4, disk: 0)
            try trial.resize(memory: roomy, disk: 0)
            try mostAreHeld(trial)
        },
        Promise("disk-raised", "a raised disk capacity holds more", needs: [.disk, .capacity, .resize]) { trial in
            try trial.begin(memory: 0, disk: disk)
            try trial.resize(memory: 0, disk: disk / 8)
            try trial.resize(memory: 0, disk: 4 * disk)
            try mostAreHeld(trial)
        },
        Promise(
            "too-large", "a body above the declared limit is not stored in a tier", needs: [.memory, .capacity],
            declares: .largest
        ) { trial in
            try trial.begin(memory: memory)
            try trial.store(SubjectRequest("https://a.example/large"), bytes: tooLarge(for: memory, trial))
            try expect(try trial.lookUp(SubjectRequest("https://a.example/large")) == nil, "found it")
        },
        Promise(
            "superseded", "a version that is too large removes the one before it from every tier", needs: .capacity
        ) { trial in
            // What is too large for memory may fit the disk.
            for (memory, disk) in [(memory, memory), (memory, 20 * memory), (memory, 0), (0, memory)]
            where (memory == 0 || trial.capabilities.contains(.memory))
                && (disk == 0 || trial.capabilities.contains(.disk))
            {
                let capacity = Self.memory
                for bytes in [capacity / 20 + 1, tooLarge(for: capacity, trial), capacity + 1, 2 * capacity] {
                    try trial.begin(memory: memory, disk: disk)
                    try trial.store(request)
                    try trial.store(request, bytes: bytes, version: 2)
                    try expect(try trial.lookUp(request) != 1, "the earlier version is back")
                    trial.clean()
                }
            }
        },
        Promise(
            "heap-bounded", "the heap in use does not grow with the number of operations", needs: .capacity,
            holdsOfEntries: true
        ) { trial in
            for tier in [SubjectCapabilities.memory, .disk] where trial.capabilities.contains(tier) {
                try HeapGrowth.check(trial, onDisk: tier == .disk)
            }
        },
        Promise("capacity-zero", "capacities of 0 mean what is declared: no cache, or no limit", declares: .zero) {
            trial in
            try trial.begin(memory: 0, disk: 0)
            guard trial.limits.zero == .unlimited else {
                try trial.store(SubjectRequest("https://a.example/p"))
                return try expect(try trial.lookUp(SubjectRequest("https://a.example/p")) == nil, "found something")
            }
            try trial.storeMany(0..<400, bytes: 5_000)
            let found = try trial.lookUpMany(0..<400).count
            try expect(found == 400, "found \(found) of 400 entries of 5000 bytes")
        },
    ]

    /// One byte more than the declared largest part of a tier, or the declared largest body.
    static func tooLarge(for capacity: Int, _ trial: Trial) -> Int {
        min(Int(Double(capacity) * (trial.limits.largestPart ?? 1)), trial.limits.largestBody ?? .max) + 1
    }

    /// Stores a quarter of the capacity. If shards evict separately, one may be full.
    private static func mostAreHeld(_ trial: Trial) throws {
        let bytes = try usualLength(trial)
        let count = 250_000 / bytes
        try trial.storeMany(0..<count, bytes: bytes)
        let found = try trial.lookUpMany(0..<count).count
        try expect(found >= count * 4 / 5, "found \(found) of \(count) entries of \(bytes) bytes")
    }

    private static func memoryUsage(_ trial: Trial) throws -> Int {
        guard let bytes = try trial.driven().usage.memoryBytes else {
            throw PromiseNotApplicable(description: "it does not say what its memory holds")
        }
        return bytes
    }
}

extension Promise {
    /// Promises about eviction.
    package static let eviction = [
        Promise(
            "lru", "the most recently used entry is evicted last", needs: .capacity, holdsOfEntries: true,
            policies: [.lru]
        ) { trial in
            let (bytes, fitting) = (try usualLength(trial), try fittingCount(trial))
            try trial.begin(memory: roomy)
            try trial.storeMany(0..<fitting, bytes: bytes)
            let used = try oldest(of: fitting).filter { try trial.lookUp(Trial.many($0)) == 1 }
            try expect(!used.isEmpty, "found nothing, although all of them fit")
            try trial.storeMany(fitting..<fitting + fitting / 8 + 1, bytes: bytes)
            for number in used {
                try expect(try trial.lookUp(Trial.many(number)) == 1, "it is gone, although it was used after others")
            }
        },
        Promise(
            "gdsf", "with the policy gdsf the entry of most uses is evicted last, of entries of one size",
            needs: [.memory, .capacity], policies: [.gdsf]
        ) { trial in
            let bytes = trial.length(5_000, in: memory)
            try trial.begin(memory: memory)
            try trial.storeMany(0..<20, bytes: bytes)
            for _ in 0..<8 {
                try expect(try trial.lookUp(Trial.many(0)) == 1, "found nothing, although all of them fit")
            }
            try trial.storeMany(20..<20 + memory / bytes * 5 / 2, bytes: bytes)
            try expect(try trial.lookUp(Trial.many(0)) == 1, "it is gone, although it was used most often")
        },
        twice(
            "twice-evicted-memory", "a key stored twice can be evicted from memory", memory: memory, disk: 0, [.memory]),
        twice("twice-evicted-disk", "a key stored twice can be evicted from disk", memory: 0, disk: memory, [.disk]),
        Promise("overwritten", "a second version replaces the first") { trial in
            try trial.begin()
            try trial.store(request)
            try trial.store(request, bytes: trial.length(2_000, in: 1 << 20), version: 2)
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

    /// A capacity of so many entries of 5,000 bytes that one shard or sample has several, too.
    static let roomy = 1 << 20

    /// The length of most bodies, bytes: 5,000, or shorter if the subject declares that it refuses those.
    static func usualLength(_ trial: Trial) throws -> Int {
        let bytes = trial.length(5_000, in: roomy)
        try require(bytes >= 500, "what it stores is too short to fill it, by its limits")
        return bytes
    }

    /// How many entries of ``usualLength(_:)`` fit: the most found after storing more.
    static func fittingCount(_ trial: Trial) throws -> Int {
        let bytes = try usualLength(trial)
        let most = 2 * roomy / bytes
        var fitting = 0
        // If a cache empties itself when full, the number left says little.
        for stored in [most * 5 / 8, most] {
            try trial.begin(memory: roomy)
            try trial.storeMany(0..<stored, bytes: bytes)
            let found = try trial.foundMany(0..<stored).count
            trial.clean()
            try expect(found < stored || stored < most, "all are still there, although more were stored than fit")
            fitting = max(fitting, found)
        }
        return fitting
    }

    /// Every second one of the oldest entries, newest first.
    static func oldest(of count: Int) -> [Int] { (0...count / 10).reversed().map { 2 * $0 } }

    private static func twice(
        _ name: String, _ summary: String, memory: Int, disk: Int, _ needs: SubjectCapabilities
    ) -> Promise {
        Promise(name, summary, needs: needs.union(.capacity), holdsOfEntries: true) { trial in
            let request = SubjectRequest("https://a.example/twice")
            try trial.begin(memory: memory, disk: disk)
            try trial.store(request)
            try trial.store(request, version: 2)
            try trial.storeMany(0..<60, bytes: 5_000)
            try expect(try trial.lookUp(request) != 1, "the first version is back")
        }
    }
}
