/// Sentences about sizes that differ, for the reports.
package enum SizeNotes {
    /// How many misses rest on a changed size, and by how much it changed; `nil` for none.
    package static func changed(_ changes: ChangedSizes) -> String? {
        guard changes.count > 0 else { return nil }
        return "\(changes.count) requests are for a changed size, half of them by at most \(changes.usual) bytes; "
            + "each is a miss"
    }

    /// The sizes that count as unchanged; `nil` for none.
    package static func settled(_ settled: SettledSizesSummary) -> String? {
        guard settled.count > 0 else { return nil }
        return
            "\(settled.count) sizes differ by a header's worth, at most \(settled.most) bytes, and count as unchanged"
    }
}

extension SizeNotes {
    /// The sentences for a trace that has been read.
    package static func all(_ rules: AccessRules, _ reader: TraceReader) -> [String] {
        [changed(rules.changes), settled(reader.settledSizes)].compactMap { $0 }
    }
}
