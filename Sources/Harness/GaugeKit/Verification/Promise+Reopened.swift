import Platform

extension Promise {
    private static let disk = 1 << 20

    /// Promises about files that a cache finds when it is opened again.
    package static let reopened = [
        Promise(
            "used-kept-reopened", "an entry that was used before the cache was closed outlives the others on disk",
            needs: [.disk, .persistence, .capacity]
        ) { trial in
            try require(trial.diskOrder.keepsUsed, "its diskOrder does not say that uses keep an entry")
            try expectUsedKept(trial)
        },
        Promise(
            "persistent-paths", "a URL below another, or with dots for a parent, is stored like any other",
            needs: [.disk, .persistence]
        ) { trial in
            for pair in nested + nested.map({ ($1, $0) }) {
                let requests = [SubjectRequest(pair.0), SubjectRequest(pair.1)]
                try trial.begin(memory: 0, disk: disk)
                let before = trial.filesElsewhere()
                for request in requests { try trial.store(request) }
                try trial.close()
                let outside = trial.filesElsewhere().subtracting(before).min()
                try expect(outside == nil, "it left the file \(outside ?? "") outside of its directory")
                try trial.open(memory: 0, disk: disk)
                for request in requests { try expect(try trial.lookUp(request) == 1, "found nothing") }
                trial.clean()
            }
        },
        Promise(
            "damaged-missing", "what was in a file that is gone is a miss, and can be stored again",
            needs: [.disk, .persistence]
        ) { trial in
            var place = 0
            while try tryWithout(place, trial) { place += 1 }
        },
    ]

    /// Pairs of which one may be a folder where the other is a file.
    private static let nested = [
        ("https://a.example/a", "https://a.example/a/b"), ("https://a.example/", "https://a.example/a"),
        ("https://a.example/a", "https://a.example/../a"), ("https://a.example/a", "https://a.example/../../a"),
        ("https://a.example/a", "https://a.example/%2E%2E%2Fa"), ("https://a.example/a", "https://a.example/a%2Fb"),
    ]

    /// Uses the oldest entries, opens the cache again, and replaces half of what it holds.
    private static func expectUsedKept(_ trial: Trial) throws {
        // Few files, since each takes time.
        let (bytes, count) = (20_000, disk / 20_000)
        try trial.begin(memory: 0, disk: disk)
        try trial.storeMany(0..<count, bytes: bytes)
        let held = try trial.lookUpMany(0..<count)
        // Dates of files may be as coarse as a second.
        trial.wait(seconds: 1.1)
        let (used, others) = (held.prefix(held.count / 4), held.dropFirst(held.count / 4))
        for number in used { _ = try trial.lookUp(Trial.many(number)) }
        try trial.closeAndOpen(memory: 0, disk: disk)
        try trial.storeMany(count..<count + held.count / 2, bytes: bytes)
        trial.note("look all of them up")
        func gone(_ numbers: ArraySlice<Int>) throws -> Int {
            try numbers.count { try trial.found(Trial.many($0)) == nil }
        }
        let (usedGone, othersGone) = (try gone(used), try gone(others))
        // A cache that empties itself when it is full loses all alike.
        let isWorse = usedGone * others.count > othersGone * used.count
        try expect(
            usedGone <= used.count / 4 || !isWorse,
            "\(usedGone) of the \(used.count) entries that were used last are gone, and \(othersGone) of the other "
                + "\(others.count)")
    }

    /// Removes one of the files that the cache leaves; whether there was such a file.
    private static func tryWithout(_ place: Int, _ trial: Trial) throws -> Bool {
        let requests = (0..<3).map(Trial.many)
        try trial.begin(memory: 0, disk: disk)
        for request in requests { try trial.store(request) }
        try trial.close()
        let files = FileBytes.files(in: trial.directory)
        try require(!files.isEmpty, "it leaves no file")
        guard place < min(files.count, 8) else { return false }
        trial.note("remove the file \(files[place].name)")
        guard unlink(files[place].path) == 0 else { throw SystemError.last }
        // Refusing to open is allowed.
        guard (try? trial.open(memory: 0, disk: disk)) != nil else { return true }
        trial.note("look all of them up")
        for request in requests { _ = try trial.found(request) }
        for request in requests {
            try trial.store(request, version: 2)
            let found = try trial.lookUp(request)
            try expect(found == 2, found.map { "found version \($0)" } ?? "found nothing")
        }
        trial.clean()
        return true
    }
}
