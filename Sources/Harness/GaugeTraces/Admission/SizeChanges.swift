/// What it means that an object's size differs from the one at its last request.
package enum SizeChanges: String, CaseIterable, Sendable {
    /// The object has changed, so the request is a miss. In a log that counts headers, sizes that differ by a header's
    /// worth count as one (``SettledSizes``).
    case version
    /// The same, and any difference is a change.
    case exact
    /// Nothing: the entry keeps the size with which it was stored, as in libCacheSim.
    case ignore
    /// A hit, after which the entry has the new size.
    case update

    /// Whether another size is another version.
    package var tellsVersions: Bool { self == .version || self == .exact }
}

/// Requests for objects whose size had changed since the last request: misses in every cache.
package struct ChangedSizes: Hashable, Sendable {
    package private(set) var count = 0
    /// By number of binary digits, how many differences had so many.
    private var lengths = [Int](repeating: 0, count: 65)

    package init() {}

    mutating func note(from old: Int, to new: Int) {
        count += 1
        lengths[Int.bitWidth - (max(old, new) - min(old, new)).leadingZeroBitCount] += 1
    }

    /// A power of two that at least half of the differences don't exceed, bytes; 0 without changes.
    package var usual: Int {
        var sum = 0
        for (length, number) in lengths.enumerated() where number > 0 {
            sum += number
            if sum * 2 >= count { return 1 << min(62, length) }
        }
        return 0
    }
}

/// Sentences about sizes that differ, for the reports.
package enum SizeNotes {
    /// How many misses come from a changed size, and by how much it changed; `nil` for none.
    package static func changed(_ changes: ChangedSizes) -> String? {
        guard changes.count > 0 else { return nil }
        return changes.count == 1
            ? "1 request is for a changed size, by at most \(changes.usual) bytes, and a miss"
            : "\(changes.count) requests are for a changed size, half of them by at most \(changes.usual) bytes; each is a miss"
    }

    /// The sizes that count as unchanged; `nil` for none.
    package static func settled(_ settled: SettledSizesSummary) -> String? {
        guard settled.count > 0 else { return nil }
        return settled.count == 1
            ? "1 size differs by a header's worth, \(settled.most) bytes, and counts as unchanged"
            : "\(settled.count) sizes differ by a header's worth, at most \(settled.most) bytes, and count as unchanged"
    }
}

extension SizeNotes {
    package static func all(_ rules: AccessRules, _ reader: TraceReader) -> [String] {
        [changed(rules.changes), settled(reader.settledSizes)].compactMap { $0 }
    }
}
