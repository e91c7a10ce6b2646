import GaugeTraces

extension Promise {
    /// Promises about eviction that hold in every order, and about the order that is declared.
    package static let orders = [
        justStored("just-stored-memory", "memory", .memory), justStored("just-stored-disk", "the disk", .disk),
        Promise(
            "fifo", "the first entry that was stored is evicted first", needs: .capacity, holdsOfEntries: true
        ) { trial in
            guard trial.order == .fifo else {
                throw PromiseNotApplicable(description: "it does not say that it is first in, first out")
            }
            let fitting = try fittingCount(trial)
            try trial.begin(memory: roomy)
            try trial.storeMany(0..<fitting, bytes: 5_000)
            let quarter = fitting / 4
            for _ in 0..<3 {
                trial.tell("look up the first \(quarter)")
                for number in 0..<quarter { _ = try trial.found(Trial.many(number)) }
            }
            try trial.storeMany(fitting..<fitting + fitting / 2, bytes: 5_000)
            let first = try (0..<quarter).count { try trial.found(Trial.many($0)) != nil }
            let last = try (fitting - quarter..<fitting).count { try trial.found(Trial.many($0)) != nil }
            // Parts such as shards fill unevenly.
            try expect(first <= quarter / 4, "\(first) of the first \(quarter) entries are still there")
            try expect(last >= quarter * 3 / 4, "\(quarter - last) of the \(quarter) that were stored last are gone")
        },
    ]

    /// In a full tier, each entry is looked up right after its store, and again two stores later.
    private static func justStored(_ name: String, _ tier: String, _ needed: SubjectCapabilities) -> Promise {
        Promise(
            name, "\(tier) holds a small entry that was stored a moment ago, whatever the order of eviction",
            needs: needed.union(.capacity), holdsOfEntries: true
        ) { trial in
            // Few files, since each takes time.
            let bytes = needed == .memory ? 5_000 : 20_000
            let entries = 0..<2 * roomy / bytes
            try trial.begin(memory: needed == .memory ? roomy : 0, disk: needed == .disk ? roomy : 0)
            var (gone, early) = (0, 0)
            try trial.storeMany(entries, bytes: bytes) { number in
                if try trial.found(Trial.many(number)) == nil { gone += 1 }
                if number >= 2, try trial.found(Trial.many(number - 2)) == nil { early += 1 }
            }
            try expect(gone <= entries.count / 50, "\(gone) of \(entries.count) are gone right after their store")
            // Chance takes one of many.
            try expect(early <= entries.count / 10, "\(early) of \(entries.count) are gone after two more stores")
        }
    }
}
