import GaugeTraces
import Platform

extension Promise {
    private static let memory = 200_000

    /// Promises about an entry's place in the order of eviction, and about what counts as usage.
    package static let places = [
        Promise(
            "replaced-place", "a replaced entry is not evicted before the ones that were used before it",
            needs: .capacity, holdsOfEntries: true, policies: [.lru]
        ) { trial in
            let (bytes, fitting) = (try usualLength(trial), try fittingCount(trial))
            try trial.begin(memory: roomy)
            try trial.storeMany(0..<fitting, bytes: bytes)
            for number in oldest(of: fitting) { try trial.store(Trial.many(number), bytes: bytes, version: 2) }
            try trial.storeMany(fitting..<fitting + fitting / 8 + 1, bytes: bytes)
            for number in oldest(of: fitting) {
                try expect(
                    try trial.lookUp(Trial.many(number)) == 2, "it is gone, although it was stored again after others")
            }
        },
        Promise(
            "promoted-place", "an entry promoted from disk is evicted from memory last",
            needs: [.memory, .disk, .capacity, .resize], policies: [.lru]
        ) { trial in
            let (bytes, fitting) = (try usualLength(trial), try fittingCount(trial))
            let stored = fitting * 3 / 2
            try trial.begin(memory: roomy, disk: 1 << 24)
            try trial.storeMany(0..<stored, bytes: bytes)
            let promoted = Array(oldest(of: fitting).suffix(10))
            for number in promoted { try expect(try trial.lookUp(Trial.many(number)) == 1, "found nothing on disk") }
            try trial.storeMany(stored..<stored + fitting / 8 + 1, bytes: bytes)
            // Then only memory can answer.
            try trial.resize(memory: roomy, disk: 0)
            for number in promoted { try expect(try trial.lookUp(Trial.many(number)) == 1, "it is gone from memory") }
        },
        storedLast("stored-last-memory", "memory", .memory), storedLast("stored-last-disk", "the disk", .disk),
        Promise(
            "too-large-resized", "the declared part of a tier is that of its present capacity",
            needs: [.memory, .capacity, .resize], declares: .largest
        ) { trial in
            let request = SubjectRequest("https://a.example/large")
            try trial.begin(memory: 4 * memory)
            try trial.resize(memory: memory, disk: 0)
            try trial.store(request, bytes: tooLarge(for: memory, trial))
            try expect(try trial.lookUp(request) == nil, "found it")
        },
        Promise("capacity-negative", "a negative capacity is an error, or means no cache", declares: .negative) {
            trial in
            do { try trial.begin(memory: -memory, disk: 0) } catch { return }
            try trial.store(SubjectRequest("https://a.example/p"))
            try expect(try trial.lookUp(SubjectRequest("https://a.example/p")) == nil, "found something")
        },
        Promise("usage-memory", "the reported memory counts the bodies in it", needs: .memory) { trial in
            try trial.begin(memory: 1 << 22)
            try trial.storeMany(0..<100, bytes: 5_000)
            try counts(trial) { $0.memoryBytes }
        },
        Promise("usage-disk", "the reported disk space counts the bodies in it", needs: .disk) { trial in
            try trial.begin(memory: 0, disk: 1 << 22)
            try trial.storeMany(0..<100, bytes: 5_000)
            try counts(trial) { $0.diskBytes }
            for _ in 0..<4 { try trial.storeMany(0..<100, bytes: 5_000) }
            try trial.driven().settle()
            if let reported = try trial.driven().usage.diskBytes {
                let onDisk = trial.bytesOnDisk()
                try expect(reported <= 2 * onDisk + 1 << 18, "\(reported) bytes reported, \(onDisk) bytes on disk")
            }
            guard trial.capabilities.contains(.persistence) else { return }
            try trial.closeAndOpen(memory: 0, disk: 1 << 22)
            try counts(trial) { $0.diskBytes }
        },
        Promise("cleared", "after removal of everything the cache is as if it were new", needs: .removalOfAll) {
            trial in
            for tier in [SubjectCapabilities.memory, .disk] where trial.capabilities.contains(tier) {
                try cleared(trial, memory: tier == .memory ? roomy : 0, disk: tier == .disk ? roomy : 0)
            }
        },
        Promise("removed-all", "removal since 1970 removes everything", needs: .removalSince) { trial in
            let hasDisk = trial.capabilities.contains(.disk)
            try trial.begin(memory: memory, disk: hasDisk ? 1 << 20 : 0)
            try trial.storeMany(0..<60, bytes: 5_000)
            try trial.removeAll(since: 0, "1970")
            trial.note("look all of them up")
            for number in 0..<60 {
                try expect(try trial.found(Trial.many(number)) == nil, "found \(Trial.many(number).url)")
            }
        },
        Promise(
            "damaged-user-info", "a flipped bit in a file changes no metadata", needs: [.userInfo, .disk, .persistence]
        ) { trial in
            let userInfo: [String: PropertyValue] = ["text": .text(String(repeating: "m", count: 40_000))]
            for place in 0..<60 {
                try trial.begin(memory: 0, disk: 1 << 22)
                try trial.store(request, userInfo: userInfo)
                try trial.close()
                guard let file = FileBytes.files(in: trial.directory).max(by: { $0.path.count < $1.path.count }) else {
                    throw PromiseNotApplicable(description: "it leaves no file")
                }
                var bytes = try FileBytes.read(file.path)
                let letters = bytes.indices.filter { bytes[$0] == UInt8(ascii: "m") }
                guard letters.count > 60 else { return }
                let changed = letters[letters.count / 60 * place]
                bytes[changed] ^= 1
                trial.note("in the file \(file.name): flip bit 0 of byte \(changed)")
                try FileBytes.write(bytes, to: file.path)
                guard (try? trial.open(memory: 0, disk: 1 << 22)) != nil else { continue }
                let found = try trial.userInfo(request)
                try expect(found == nil || found == userInfo, "found changed metadata")
                trial.clean()
            }
        },
    ]

    /// Stores twice what fits, removes everything, and stores as many others: a new cache would hold as much.
    private static func cleared(_ trial: Trial, memory: Int, disk: Int) throws {
        // Few files, since each takes time.
        let bytes = trial.length(disk == 0 ? 5_000 : 20_000, in: roomy)
        let count = 2 * roomy / bytes
        // In each round other keys, of one length: what is left of earlier entries must not be taken for them.
        var entries = 100_000..<100_000 + count
        func found() throws -> Int { try trial.foundMany(entries).count }
        func stored() throws -> Int {
            try trial.storeMany(entries, bytes: bytes)
            try trial.driven().settle()
            return try found()
        }
        try trial.begin(memory: memory, disk: disk)
        let fitting = try stored()
        let most = max(trial.countsEntries ? trial.entries(roomy) : roomy / bytes, fitting * 11 / 10)
        for _ in 0..<3 {
            try trial.removeAll()
            trial.note("look all of them up")
            let left = try found()
            try expect(left == 0, "\(left) of \(entries.count) entries are found")
            var usage = try trial.driven().usage
            try expect((usage.memoryBytes ?? 0) == 0, "\(usage.memoryBytes ?? 0) bytes of memory in use")
            try expect((usage.memoryEntries ?? 0) == 0, "\(usage.memoryEntries ?? 0) entries in memory")
            try expect((usage.diskEntries ?? 0) == 0, "\(usage.diskEntries ?? 0) entries on disk")
            entries = entries.upperBound..<entries.upperBound + count
            let again = try stored()
            // Random eviction leaves another number each time.
            try expect(
                (fitting * 9 / 10...most).contains(again),
                "then \(again) entries of \(bytes) bytes are held, at first \(fitting)")
            usage = try trial.driven().usage
            let reported = disk == 0 ? usage.memoryBytes : usage.diskBytes
            try expect(
                (reported ?? .max) >= again * bytes,
                "then \(reported ?? 0) bytes are in use, and \(again) bodies of \(bytes) bytes are found")
        }
    }

    /// Looks up each entry four stores later, while the tier is filled twice.
    private static func storedLast(_ name: String, _ tier: String, _ needed: SubjectCapabilities) -> Promise {
        Promise(
            name, "\(tier) holds what was stored last", needs: needed.union(.capacity), holdsOfEntries: true,
            policies: [.lru]
        ) { trial in
            // In a cache of two tiers, order may be memory's alone.
            guard
                needed == .memory || !trial.capabilities.contains(.memory)
                    || [.lru, .fifo].contains(trial.diskOrder)
            else {
                throw PromiseNotApplicable(description: "its diskOrder does not say that the oldest are evicted first")
            }
            // Few files, since each takes time.
            let bytes = trial.length(needed == .memory ? 5_000 : 20_000, in: roomy)
            let count = 2 * roomy / bytes
            try trial.begin(memory: needed == .memory ? roomy : 0, disk: needed == .disk ? roomy : 0)
            try expectLast(of: 0..<count, bytes: bytes, trial)
            guard needed == .memory else { return }
            // By then a counter of 16 bits has wrapped around.
            let stored = try storeLong(from: count, trial)
            try expectLast(of: stored..<stored + count, bytes: bytes, trial)
        }
    }

    private static func expectLast(of entries: Range<Int>, bytes: Int, _ trial: Trial) throws {
        let later = 4
        var gone: [String] = []
        try trial.storeMany(entries, bytes: bytes) { number in
            guard number >= entries.lowerBound + later else { return }
            let request = Trial.many(number - later)
            if try trial.found(request) == nil { gone.append(request.url) }
        }
        // In one of many small shards, a few stores may replace everything.
        try expect(
            gone.count <= entries.count / 50,
            "\(gone.count) of them, \(gone.first ?? "") first, are gone after \(later) more stores")
    }

    /// Stores 66,000 entries, or fewer in a slow subject; returns the next number.
    private static func storeLong(from first: Int, _ trial: Trial) throws -> Int {
        // In processor time, of which a busy machine has less.
        let end = threadCPUNanoseconds() + UInt64(trial.model.seconds / 3 * 1e9)
        let (subject, buffer) = (try trial.driven(), PayloadBuffer(capacity: 1_000))
        var number = first
        while number < first + 66_000, number % 64 != 0 || threadCPUNanoseconds() < end {
            let request = Trial.many(number)
            try subject.store(request, buffer.body(key: Trial.id(request), version: 1, count: 1_000))
            number += 1
        }
        trial.note("store \(Trial.many(first).url) to …/\(number - 1), 1000 bytes each")
        return number
    }

    /// Compares the usage with the stored bodies that are found.
    private static func counts(_ trial: Trial, _ usage: (SubjectUsage) -> Int?) throws {
        try trial.driven().settle()
        guard let reported = try usage(trial.driven().usage) else {
            throw PromiseNotApplicable(description: "it does not report it")
        }
        let found = try trial.lookUpMany(0..<100).count
        try expect(reported >= found * 5_000, "\(reported) bytes reported, \(found) bodies of 5000 bytes found")
        // A generous bound on an entry's cost beside its body.
        let most = 100 * (5_000 + 4_096) + 1 << 20
        try expect(reported <= most, "\(reported) bytes reported for 100 bodies of 5000 bytes")
    }
}

extension Promise {
    /// Promises about eviction that hold in every order, and about the declared order.
    package static let orders = [
        justStored("just-stored-memory", "memory", .memory), justStored("just-stored-disk", "the disk", .disk),
        Promise(
            "fifo", "the first entry that was stored is evicted first", needs: .capacity, holdsOfEntries: true
        ) { trial in
            try require(trial.order == .fifo, "it does not say that it is first in, first out")
            let (bytes, fitting) = (try usualLength(trial), try fittingCount(trial))
            try trial.begin(memory: roomy)
            try trial.storeMany(0..<fitting, bytes: bytes)
            let quarter = fitting / 4
            for _ in 0..<3 {
                trial.note("look up the first \(quarter)")
                for number in 0..<quarter { _ = try trial.found(Trial.many(number)) }
            }
            try trial.storeMany(fitting..<fitting + fitting / 2, bytes: bytes)
            let first = try trial.foundMany(0..<quarter).count
            let last = try trial.foundMany(fitting - quarter..<fitting).count
            // Parts such as shards fill unevenly.
            try expect(first <= quarter / 4, "\(first) of the first \(quarter) entries are still there")
            try expect(last >= quarter * 3 / 4, "\(quarter - last) of the \(quarter) that were stored last are gone")
        },
    ]

    /// In a full tier, looks up each entry right after its store. In another, looks up every second one after one more.
    ///
    /// In the second, few entries are looked up, and each once: where uses count, all would otherwise outlive the
    /// newest.
    private static func justStored(_ name: String, _ tier: String, _ needed: SubjectCapabilities) -> Promise {
        Promise(
            name, "\(tier) holds a small entry that was stored a moment ago, whatever the order of eviction",
            needs: needed.union(.capacity), holdsOfEntries: true
        ) { trial in
            func begin() throws {
                try trial.begin(memory: needed == .memory ? roomy : 0, disk: needed == .disk ? roomy : 0)
            }
            // Few files, since each takes time.
            let bytes = trial.length(needed == .memory ? 5_000 : 20_000, in: roomy)
            let entries = 0..<2 * roomy / bytes
            var gone = 0
            try begin()
            try trial.storeMany(entries, bytes: bytes) { number in
                if try trial.found(Trial.many(number)) == nil { gone += 1 }
            }
            try expect(gone <= entries.count / 50, "\(gone) of \(entries.count) are gone right after their store")
            trial.clean()

            // So short that two fit into a window of 1 %, from which others are admitted by their uses.
            let short = trial.length(needed == .memory ? 4_000 : 20_000, in: roomy)
            let full = roomy * 5 / 4 / short
            let pairs = min(60, full / 4)
            var early = 0
            try begin()
            try trial.storeMany(0..<full, bytes: short)
            try trial.storeMany(full..<full + 2 * pairs, bytes: short) { number in
                guard !(number - full).isMultiple(of: 2) else { return }
                if try trial.found(Trial.many(number - 1)) == nil { early += 1 }
            }
            // One of many may go by chance.
            try expect(early <= pairs / 10, "\(early) of \(pairs) are gone after one more store")
        }
    }
}
