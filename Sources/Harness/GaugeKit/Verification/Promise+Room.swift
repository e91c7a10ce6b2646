extension Promise {
    /// Promises about the room of entries that are gone.
    package static let room = [givenBack("room-memory", "memory", .memory), givenBack("room-disk", "the disk", .disk)]

    /// Fills a tier, removes or replaces three times what it holds, and fills it again.
    private static func givenBack(_ name: String, _ tier: String, _ needed: SubjectCapabilities) -> Promise {
        Promise(
            name, "\(tier) has room again for what was removed or replaced, whatever the order of eviction",
            needs: needed.union(.capacity), holdsOfEntries: true
        ) { trial in
            // Few files, since each takes time.
            let bytes = trial.length(needed == .memory ? 5_000 : 20_000, in: roomy)
            let entries = 0..<roomy * 5 / 4 / bytes
            func found() throws -> Int { try trial.foundMany(entries).count }
            try trial.begin(memory: needed == .memory ? roomy : 0, disk: needed == .disk ? roomy : 0)
            try trial.storeMany(entries, bytes: bytes)
            let fitting = try found()

            let others = entries.upperBound..<entries.upperBound + 3 * roomy / bytes
            trial.note("store \(text(others)), \(bytes) bytes each, and remove each at once")
            for number in others {
                try trial.quietly(Trial.many(number), bytes: bytes, version: 1)
                try trial.driven().removeEntry(Trial.many(number))
            }
            try expectRoom(trial, entries, bytes: bytes, fitting, found)

            let few = others.prefix(8)
            trial.note("store \(text(few)) again and again, \(bytes / 4) and \(bytes) bytes in turns, and remove them")
            for version in 1...UInt64(others.count / 4) {
                let length = version.isMultiple(of: 2) ? bytes : bytes / 4
                for number in few { try trial.quietly(Trial.many(number), bytes: length, version: version) }
            }
            for number in few { try trial.driven().removeEntry(Trial.many(number)) }
            try expectRoom(trial, entries, bytes: bytes, fitting, found)
        }
    }

    private static func text(_ numbers: Range<Int>) -> String {
        "\(Trial.many(numbers.lowerBound).url) to …/\(numbers.upperBound - 1)"
    }

    /// Stores the entries again, and expects nine tenths of those that fitted.
    private static func expectRoom(
        _ trial: Trial, _ entries: Range<Int>, bytes: Int, _ fitting: Int, _ found: () throws -> Int
    ) throws {
        try trial.driven().settle()
        try trial.storeMany(entries, bytes: bytes)
        var again = try found()
        // A cache that empties itself when full may just have done so.
        for first in stride(from: 0, to: entries.count, by: 16) where again < fitting * 9 / 10 {
            try trial.storeMany(first..<min(first + 16, entries.count), bytes: bytes)
            again = max(again, try found())
        }
        try expect(
            again >= fitting * 9 / 10, "then \(again) entries of \(bytes) bytes are held at most, at first \(fitting)")
    }
}
