import GaugeTraces

/// The report of the bounds, as text and as JSON.
package struct BoundsReport {
    private let bounds: Bounds
    private let counts: HitCounts

    package init(_ bounds: Bounds, of counts: HitCounts) {
        self.bounds = bounds
        self.counts = counts
    }

    package var text: String {
        var text = title.padded(to: 44) + "hit ratio".leftPadded(to: 11) + "byte hit ratio".leftPadded(to: 16) + "\n"
        text += Self.line("this replay", counts.hitRatio, counts.byteHitRatio)
        for (name, sum, hasBytes) in rows {
            guard let sum else { continue }
            text += Self.line(name, ratio(sum.hits), hasBytes ? byteRatio(sum.bytes) : nil)
        }
        return text
    }

    package var json: JSONValue {
        func object(_ sum: HitSum?, hasBytes: Bool = true) -> JSONValue? {
            guard let sum else { return nil }
            var object: [String: JSONValue] = ["hits": .whole(sum.hits), "hit_ratio": .number(ratio(sum.hits))]
            if hasBytes {
                object["hit_bytes"] = .whole(sum.bytes)
                object["byte_hit_ratio"] = .number(byteRatio(sum.bytes))
            }
            return .object(object)
        }
        var members: [String: JSONValue] = ["expiry": .flag(bounds.hasExpiry)]
        switch bounds.capacity {
        case .entries(let entries): members["entries"] = .whole(entries)
        case .bytes(let bytes): members["bytes"] = .whole(bytes)
        }
        members["infinite"] = object(bounds.infinite)
        members["belady_min"] = object(bounds.optimum, hasBytes: countsBytes)
        members["pfoo_l"] = object(bounds.footprint)
        members["belady_by_size"] = object(bounds.beladyBySize)
        return .object(members)
    }

    private var rows: [(String, HitSum?, hasBytes: Bool)] {
        [
            ("Belady by size (heuristic)", bounds.beladyBySize, true),
            (bounds.hasExpiry ? "Belady's MIN (upper bound)" : "Belady's MIN (optimum)", bounds.optimum, countsBytes),
            ("PFOO-L (upper bound)", bounds.footprint, true),
            ("infinite cache\(bounds.hasExpiry ? " (upper bound)" : "")", bounds.infinite, true),
        ]
    }

    /// If the capacity counts entries, the most hits needn't be the most bytes.
    private var countsBytes: Bool {
        if case .entries = bounds.capacity { false } else { true }
    }

    private var title: String {
        let capacity =
            switch bounds.capacity {
            case .entries(let entries): "\(entries) entries"
            case .bytes(let bytes): "\(ByteSize(bytes: bytes)) of bodies"
            }
        return "bounds for \(capacity)\(bounds.hasExpiry ? ", with expiry" : "")"
    }

    private func ratio(_ hits: Int) -> Double { Double(hits) / Double(max(1, counts.requests)) }

    private func byteRatio(_ bytes: Int) -> Double { Double(bytes) / Double(max(1, counts.requestedBytes)) }

    private static func line(_ name: String, _ hits: Double, _ bytes: Double?) -> String {
        "  \(name)".padded(to: 44) + Quantity.percent(hits).leftPadded(to: 11)
            + (bytes.map(Quantity.percent) ?? "–").leftPadded(to: 16) + "\n"
    }
}
