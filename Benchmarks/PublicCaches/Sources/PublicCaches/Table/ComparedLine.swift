/// A cache's figures, as a line of at most 80 columns.
struct ComparedLine {
    let cache: ComparedCache
    private let hit, store, evict, pages: RunResults.Row?
    private let verified: VerifyResults

    init(_ cache: ComparedCache, _ measured: RunResults, _ verified: VerifyResults) {
        self.cache = cache
        self.verified = verified
        func row(_ name: String) -> RunResults.Row? { measured.row("\(name)/\(cache.name)") }
        // A cache that has lost some of the entries has a row of its hits alone.
        hit = row("memory/hit/1k") ?? row("disk/hit/16k-disk-hit") ?? row("disk/hit/16k")
        store = row("memory/store/1k")
        evict = row("memory/store-evict/1k") ?? row("disk/store/16k")
        pages = row("cache/page-loads")
    }

    static let header = """
                                      hit replacing  evicting  page- promises
                                       ns  store ns  store ns  loads brok kept n/a
        """

    var text: String {
        let values: [(text: String, width: Int)] = [
            (time(hit), 9), (time(store), 7), (time(evict), 11), (ratio, 5), ("\(verified.broken)", 4),
            ("\(verified.kept)", 4), ("\(verified.names("n/a").count)", 3),
        ]
        let title = "  " + cache.title
        return title + padding(title, to: 28) + values.map { " " + padding($0.text, to: $0.width) + $0.text }.joined()
    }

    private func padding(_ text: String, to width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count))
    }

    private func time(_ row: RunResults.Row?) -> String {
        guard let row else { return "n/a" }
        guard let time = row.time else { return failure(row) }
        var digits = String(Int(time.rounded()))
        var place = 3
        while place < digits.count {
            digits.insert(",", at: digits.index(digits.endIndex, offsetBy: -place))
            place += 4
        }
        return digits
    }

    private var ratio: String {
        guard cache.hasLimit, let pages else { return "n/a" }
        guard let part = pages.hitRatio else { return failure(pages) }
        let tenths = Int((part * 1_000).rounded())
        return "\(tenths / 10).\(tenths % 10)%"
    }

    /// In a word; the notes have the rest.
    private func failure(_ row: RunResults.Row) -> String {
        guard let failure = row.failure else { return "n/a" }
        return failure.contains("crash") ? "crash" : failure.contains("slow") ? "slow" : "failed"
    }

    /// What the line has no room for.
    var notes: [String] {
        var notes = verified.broken > 0 ? ["broken: \(verified.names("broken").joined(separator: ", "))"] : []
        let late = verified.names("timed out")
        if !late.isEmpty { notes.append("no verdict in 30 s: \(late.joined(separator: ", "))") }
        for row in [hit, store, evict, pages] {
            if let row, let failure = row.failure { notes.append("\(row.name): \(failure)") }
            if let row, let wrong = row.wrong, wrong > 0 { notes.append("\(row.name): \(wrong) wrong answers") }
        }
        return notes.map { "\(cache.name): \($0)" }
    }
}
