import GaugeSupport
import GaugeTraces

extension CurveReport {
    /// The curve for people: a line for each capacity. One policy has a column for each figure; several have a column
    /// each, in a table of hit ratios and one of byte hit ratios.
    var table: String {
        var text = "trace           \(trace) (\(format.rawValue)\(isGuessed ? ", recognised by its beginning" : ""))\n"
        text += "requests        \(curve.requests) for \(curve.objects) objects"
        text += curve.sample == nil ? "\n" : " of the sample\n"
        let policies = curve.policies.count == 1 ? curve.policies[0].uppercased() : "\(curve.policies.count) policies"
        switch curve.unit {
        case .entries:
            text +=
                "caches          \(policies) by number of entries\(curve.isOfDistances ? ": exact" : ", simulated")\n"
        case .bytes:
            text += "caches          \(policies) by bytes, simulated; \(admission)\n"
            if sizeChanges != .version { text += "changed sizes   \(sizeChanges.rawValue)\n" }
            text += "body sizes      \(assumedSizes)\n"
        }
        if let disk = curve.disk {
            let size = curve.unit == .bytes ? ByteSize(bytes: disk).description : "\(disk) entries"
            text += "disk tier       \(size) behind the memory of each line, least recently used first; inclusive: "
            text += "a disk hit is copied to memory, exclusive: it moves\n"
        }
        if let sample = curve.sample { text += "estimate        \(described(sample))\n" }
        if curve.shared > 0 {
            text += "shared fetches  up to \(curve.shared) hits came while the response was under way\n"
        }
        for note in notes { text += "sizes           \(note)\n" }
        text += "\n"
        if !isComplete { text += "stopped before the end of the trace\n\n" }
        return text + (curve.policies.count == 1 ? columnsOfFigures : columnsOfPolicies)
    }

    private func described(_ sample: SampleSummary) -> String {
        let worst = curve.points.compactMap { $0.estimate?.error }.max() ?? 0
        return "from \(JSONFields.text((sample.rate * 1e6).rounded() / 1e4)) % of the keys, right within "
            + "\(Quantity.percent(worst)) at every capacity, with 95 % confidence at each"
    }

    private func capacity(_ point: MissRatioCurve.Point) -> String {
        curve.unit == .bytes ? ByteSize(bytes: point.capacity).description : "\(point.capacity)"
    }

    private var columnsOfFigures: String {
        var titles = ["capacity", "hits", "hit ratio", "miss ratio"]
        if curve.sample != nil { titles.append("±") }
        var text = titles.map { $0.leftPadded(to: 12) }.joined()
        text += curve.unit == .bytes ? "byte miss ratio".leftPadded(to: 17) + "\n" : "\n"
        for point in curve.points {
            var ratios = [hitRatio(point), missRatio(point)]
            if let estimate = point.estimate { ratios.append(estimate.error) }
            text += ([capacity(point), "\(point.sum.hits)"] + ratios.map(Quantity.percent)).map {
                $0.leftPadded(to: 12)
            }
            .joined()
            text += curve.unit == .bytes ? Quantity.percent(byteMissRatio(point)).leftPadded(to: 17) + "\n" : "\n"
        }
        return text
    }

    private var columnsOfPolicies: String {
        let hits = columns("hit ratio", hitRatio)
        return curve.unit == .bytes ? hits + "\n" + columns("byte hit ratio", byteHitRatio) : hits
    }

    private func columns(_ title: String, _ ratio: (MissRatioCurve.Point) -> Double) -> String {
        let width = curve.policies.map(\.count).reduce(9, max) + 2
        var text = "\(title), %\n" + (["capacity"] + curve.policies).map { $0.leftPadded(to: width) }.joined() + "\n"
        var order: [Int] = []
        var rows: [Int: [String: MissRatioCurve.Point]] = [:]
        for point in curve.points {
            if rows[point.capacity] == nil { order.append(point.capacity) }
            rows[point.capacity, default: [:]][point.policy] = point
        }
        for key in order {
            let points = curve.policies.map { rows[key]?[$0] }
            let ratios = points.map { $0.map { Quantity.plain((ratio($0) * 1000).rounded() / 10) } ?? "" }
            let first = points.lazy.compactMap { $0 }.first.map(capacity) ?? ""
            text += ([first] + ratios).map { $0.leftPadded(to: width) }.joined() + "\n"
        }
        return text
    }
}
