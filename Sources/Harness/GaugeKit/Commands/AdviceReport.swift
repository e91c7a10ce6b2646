import Foundation
import GaugeTraces

/// The report of `advise`: sentences, and a bar for each capacity.
struct AdviceReport {
    private static let barWidth = 40

    private let advice: CacheAdvice
    private let workingSet: WorkingSet
    private let unit: MissRatioCurve.Unit
    /// An entry that costs more than the capacity divided by this number isn't kept.
    private let share: Int
    private let trace: String
    private let layout: TraceLayout
    private let notes: [String]

    init(
        _ advice: CacheAdvice, _ workingSet: WorkingSet, unit: MissRatioCurve.Unit, share: Int, trace: String,
        layout: TraceLayout, notes: [String]
    ) {
        (self.advice, self.workingSet, self.unit, self.share) = (advice, workingSet, unit, share)
        (self.trace, self.layout, self.notes) = (trace, layout, notes)
    }

    func text(width: Int) -> String {
        let all = unit == .bytes ? " of \(size(workingSet.bytes)) in all" : ""
        let rows =
            [
                ("trace", "\(trace) (\(layout.text))"),
                ("requests", "\(advice.requests) for \(Quantity.counted(workingSet.objects, "object"))\(all)"),
            ] + notes.map { ("sizes", $0) }
        let text =
            rows.map { Table.labelled($0.0, $0.1, column: 12, to: width) }.joined() + "\n"
            + sentences.map { Table.wrapped("\($0).\n", to: width) }.joined()
        return advice.most > 0 ? text + "\n" + picture(width: width) : text
    }

    var sentences: [String] {
        guard let advised = advice.advised, let full = advice.full else { return [nothingGained] }
        let hits = advised.hits[0]
        let last = advice.steps.last?.capacity ?? full.capacity
        let bound = mayGainMore ? " up to \(size(last))" : ""
        var sentences = [
            "\(size(advised.capacity)) gets \(percent(advice.share(of: advised))) of what any size\(bound) can get: "
                + "\(percent(ratio(hits.hits, advice.requests))) of the requests are hits"
                + (unit == .bytes ? ", and \(percent(ratio(hits.bytes, advice.requestedBytes))) of the bytes" : "")
        ]
        let gain = full.hits[0].hits < advice.most ? "hardly anything" : "nothing"
        switch (full.capacity == last, mayGainMore) {
        case (true, false): sentences.append("Everything that can be gained takes \(size(last))")
        case (false, false): sentences.append("Above \(size(full.capacity)) \(gain) is gained")
        case (true, true): sentences.append("The hits still rise at \(size(last)), the largest size tried")
        case (false, true):
            sentences.append("From \(size(full.capacity)) to \(size(last)) \(gain) is gained; more was not tried")
        }
        if advised.hits.count > 1 {
            let gain = ratio(advised.hits[1].hits - hits.hits, advice.requests)
            let policy = "policy: .greedyDualSizeFrequency"
            if gain < 0.005 {
                sentences.append("\(policy) gains nothing there")
            } else if let reach = advice.reach(of: 1) {
                sentences.append("With \(policy) \(size(advised.capacity)) does what \(size(reach)) does without")
            } else {
                sentences.append("With \(policy) it gets \(percent(gain)) of the requests more")
            }
        }
        if share > 1, let above = workingSet.above(advised.capacity / share) {
            sentences.append(
                "\(above.count) \(above.count == 1 ? "response" : "responses") of \(size(above.least)) and more "
                    + "\(above.count == 1 ? "is" : "are") never kept at \(size(advised.capacity)): nothing above "
                    + "\(JSONFields.text(100 / Double(share))) % of the capacity is. The largest takes "
                    + size(CacheAdvice.room(for: workingSet.largest, share: share)))
        }
        return sentences
    }

    /// Whether a capacity above all that were tried may gain more: it would keep larger responses, or more of them.
    private var mayGainMore: Bool {
        let last = advice.steps.last?.capacity ?? 0
        return workingSet.bytes > last || workingSet.above(last / share) != nil
    }

    private var nothingGained: String {
        let reason = "is asked for again while it may be reused"
        guard let last = advice.steps.last?.capacity, mayGainMore else {
            return "No capacity gains anything: no response that may be kept \(reason)"
        }
        guard let above = workingSet.above(last / share) else {
            return "Nothing is gained up to \(size(last)), the largest size tried; all objects take "
                + size(workingSet.bytes)
        }
        return
            "Nothing is gained up to \(size(last)), where responses of \(size(above.least)) and more are never kept: no "
            + "other \(reason)"
    }

    /// A bar of hits per capacity: the usual policy's, and those that the other adds.
    private func picture(width: Int) -> String {
        var text = "capacity".leftPadded(to: 10) + advice.policies.map { ("\($0)*").leftPadded(to: 10) }.joined() + "\n"
        for step in advice.steps {
            let ratios = step.hits.map { ratio($0.hits, advice.requests) }
            let cells = ratios.map { Int(($0 * Double(Self.barWidth)).rounded()) }
            let more = max(0, (cells.max() ?? 0) - cells[0])
            let bar = String(repeating: "█", count: cells[0]) + String(repeating: "▒", count: more)
            text += size(step.capacity).leftPadded(to: 10) + ratios.map { percent($0).leftPadded(to: 10) }.joined()
            text += bar.isEmpty ? "\n" : "  \(bar)\n"
        }
        let legend =
            "Hits in per cent of the requests; █ \(advice.policies[0]), ▒ what gdsf has more. * an application can choose it.\n"
        return text + Table.wrapped(legend, to: width)
    }

    var json: String {
        get throws {
            var document: [String: JSONValue] = [
                "trace": .text(trace), "trace_format": .text(layout.format.rawValue),
                "requests": .whole(advice.requests), "objects": .whole(workingSet.objects),
                "unit": .text(unit.rawValue), "working_set": .whole(workingSet.bytes),
                "advice": .list(sentences.map(JSONValue.text)),
                "points": .list(
                    advice.steps.flatMap { step in
                        zip(advice.policies, step.hits).map { policy, sum in
                            .object([
                                "policy": .text(policy), "capacity": .whole(step.capacity), "hits": .whole(sum.hits),
                                "hit_ratio": .number(ratio(sum.hits, advice.requests)),
                                "byte_hit_ratio": .number(ratio(sum.bytes, advice.requestedBytes)),
                            ])
                        }
                    }),
            ]
            if let advised = advice.advised { document["capacity"] = .whole(advised.capacity) }
            if let full = advice.full { document["full_capacity"] = .whole(full.capacity) }
            return try JSONValue.object(document).document()
        }
    }

    private func ratio(_ part: Int, _ whole: Int) -> Double { Double(part) / Double(max(1, whole)) }

    private func percent(_ part: Double) -> String { Quantity.percent(part) }

    private func size(_ capacity: Int) -> String {
        guard unit == .bytes else { return capacity == 1 ? "1 entry" : "\(capacity) entries" }
        return Quantity.binary(Double(capacity))
    }
}
