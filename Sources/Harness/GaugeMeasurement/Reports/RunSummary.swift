import Foundation
import GaugeSupport

/// A run's answer on one screen: how fast an application's calls are, how fast each stage is beside its nearest peer,
/// what failed or is too close to call, and where the details are.
package struct RunSummary {
    package static let lines = 24
    package static let columns = 80

    /// The stage whose rows are calls of an application.
    package static let applicationStage = "url-cache"

    private let document: RunDocument
    /// Changes against the last run, one line each.
    private let changes: [String]
    /// What people call a subject, if it isn't its name.
    private let titles: [String: String]

    package init(_ document: RunDocument, changes: [String] = [], titles: [String: String] = [:]) {
        (self.document, self.changes, self.titles) = (document, changes, titles)
    }

    /// At most `lines` lines of `columns` columns. The threads are shortened first, then the stages.
    package var text: String {
        let tail = troubles + changes + [machine, details]
        let (application, stages) = (application, stages)
        let room = Self.lines - 1 - application.count - tail.count
        var threads = threads
        if threads.count + stages.count > room { threads = Array(threads.prefix(1 + Self.fewThreadLines)) }
        let head = application + threads + Self.shortened(stages, to: room - threads.count)
        return (["summary"] + head + tail).prefix(Self.lines)
            .map { Table.clipped($0, to: Self.columns) + "\n" }.joined()
    }

    /// The stages below their heading, in at most so many lines.
    private static func shortened(_ stages: [String], to room: Int) -> [String] {
        guard stages.count > room else { return stages }
        guard room > 2 else {
            return room > 0 ? ["nearest peers of \(Quantity.counted(stages.count - 1, "stage")): in the table"] : []
        }
        return stages.prefix(room - 1) + ["  and \(stages.count - room + 1) more stages, in the table"]
    }

    // MARK: Lines

    /// `hit  2.31 µs, 9.1 ± 0.3 times faster than foundation`.
    private var application: [String] {
        let rows = document.rows.filter { $0.name.stage == Self.applicationStage }
        let lines = rows.filter { $0.isPeer && ($0.ratio != nil || $0.median != nil) }.compactMap { peer -> String? in
            guard let own = rows.first(where: { !$0.isPeer && $0.name.case == peer.name.case }) else { return nil }
            return
                "  \(own.name.case.padded(to: 10)) "
                + "\((own.timeMark + Quantity.time(own.comparedTime ?? own.median)).leftPadded(to: 8)), ran "
                + sentence(peer)
        }
        return lines.isEmpty ? [] : ["an application's calls (\(Self.applicationStage)):"] + lines
    }

    /// `9.1 ± 0.3 times faster than foundation`.
    package func sentence(_ peer: ResultRow) -> String {
        let subject = titles[peer.name.subject] ?? peer.name.subject
        guard let ratio = peer.ratio, ratio > 0 else { return "at full speed too rarely for a ratio to \(subject)" }
        guard document.noise.isClaim(peer) else { return "too close to \(subject) to call" }
        return "\(peer.ratioMark)\(Self.times(peer, ratio)) times \(ratio > 1 ? "faster" : "slower") than \(subject)"
    }

    /// `11.2 ± 0.4`; if the error is more than a tenth, both ends to two digits: `3300 to 7400`.
    private static func times(_ peer: ResultRow, _ ratio: Double) -> String {
        let times = max(ratio, 1 / ratio)
        if let interval = peer.ratioInterval, let error = peer.ratioError, error > 0.1, interval.lowerBound > 0 {
            let ends =
                ratio > 1
                ? [interval.lowerBound, interval.upperBound]
                : [interval.upperBound, interval.lowerBound].map { 1 / $0 }
            return ends.map(twoDigits).joined(separator: " to ")
        }
        let digits = times < 9.95 ? 2 : times < 99.5 ? 1 : 0
        let error = peer.ratioError.map { " ± \(Quantity.decimal($0 * times, digits))" } ?? ""
        return Quantity.decimal(times, digits) + error
    }

    private static func twoDigits(_ value: Double) -> String {
        guard value >= 9.95 else { return Quantity.decimal(value, 1) }
        let unit = pow(10, (log10(value)).rounded(.down) - 1)
        return Quantity.decimal((value / unit).rounded() * unit, 0)
    }

    /// `memory/hits/1k/tiered  1: 37.0 M, 2: 71.2 M`, for each subject with hits on several numbers of threads.
    private var threads: [String] {
        let families = document.rows.filter { $0.name.case.hasPrefix("hits/") && $0.operationsPerSecond != nil }
            .compactMap { row in
                BenchmarkName.withoutThreads(row.name.case).map { ("\(row.name.stage)/\($0)/\(row.name.subject)", row) }
            }.grouped { $0.0 }
        let lines = families.filter { $0.elements.count > 1 }.prefix(Self.mostThreadLines).map { name, elements in
            let rates = elements.map(\.1).sorted { $0.threads < $1.threads }
            return "  \(name.padded(to: 30)) "
                + rates.map { "\($0.threads): \(Quantity.rate($0.operationsPerSecond))" }.joined(separator: ", ")
        }
        return lines.isEmpty ? [] : ["hits a second on so many threads:"] + lines
    }

    private static let mostThreadLines = 6
    private static let fewThreadLines = 2

    /// The peers of a case; the nearest stands for the case.
    private struct Peers {
        let stage: String
        let `case`: String
        let nearest: ResultRow?
        /// Whether a peer without an undisturbed time may be nearer than the nearest with one.
        let isUnsure: Bool
        /// Whether no row of ours has the outcome: a hit on disk is a promotion of ours.
        let lacksOurs: Bool

        init(_ stage: String, _ case: String, _ peers: [ResultRow], _ ours: ResultRow?) {
            (self.stage, self.case) = (stage, `case`)
            lacksOurs = ours == nil && peers.allSatisfy { $0.ratio == nil }
            // What programs usually have is no measure where nobody else has the case.
            let peers = peers.contains { !$0.isUsual } ? peers : []
            nearest = peers.filter { ($0.ratio ?? 0) > 0 }.min { ($0.ratio ?? 0) < ($1.ratio ?? 0) }
            // Typical times of a bad hour make no ratio, but a peer that takes twice as long isn't the nearest.
            let far = nearest?.median.map { 2 * $0 } ?? .infinity
            isUnsure =
                ours.map { $0.failure == nil } == true
                && peers.contains { ($0.ratio ?? 0) <= 0 && $0.failure == nil && ($0.median ?? .infinity) <= far }
        }
    }

    private var cases: [Peers] {
        let rows = document.rows.filter { $0.name.stage != Self.applicationStage }
        let ours = Dictionary(grouping: rows.filter { !$0.isPeer }) { [$0.name.stage, $0.name.case] }
        return Dictionary(grouping: rows.filter(\.isPeer)) { [$0.name.stage, $0.name.case] }
            .map { Peers($0[0], $0[1], $1, ours[$0]?.first) }.sorted { ($0.stage, $0.case) < ($1.stage, $1.case) }
    }

    /// For each stage its cases' nearest peers: the geometric mean of their ratios, and the smallest. Left out are
    /// cases whose nearest peer is unknown, and those that only have what programs usually have.
    private var stages: [String] {
        func place(_ row: ResultRow) -> (ratio: Double, name: String) { (row.ratio ?? 0, row.name.case) }
        let cases = cases
        let stages = document.rows.map(\.name.stage).once.filter { $0 != Self.applicationStage }
        let lines = stages.compactMap { stage -> String? in
            let nearest = cases.filter { $0.stage == stage && !$0.isUnsure }.compactMap(\.nearest)
                .sorted { place($0) < place($1) }
            guard let least = nearest.first else { return nil }
            let ratio = Self.mean(nearest)
            let count = nearest.count == 1 ? "" : "least \(Quantity.ratio(least.ratio)) "
            return "  \(stage.padded(to: 14)) \(ratio.padded(to: 24))\(count)"
                + "\(least.name.case)/\(least.name.subject)"
        }
        return lines.isEmpty ? [] : ["how many times as long the nearest peer takes, mean of a stage's cases:"] + lines
    }

    /// `4.12× (4.01 to 4.23)`: the geometric mean, with an interval from the rows' intervals.
    private static func mean(_ rows: [ResultRow]) -> String {
        let logarithms = rows.compactMap { $0.ratio.map { log($0) } }
        let mean = logarithms.reduce(0, +) / Double(max(1, logarithms.count))
        let text = Quantity.ratio(exp(mean))
        let reaches = rows.compactMap { $0.ratioError.map { log1p($0) } }
        guard reaches.count == rows.count, !rows.isEmpty else { return text }
        let reach = reaches.reduce(0) { $0 + $1 * $1 }.squareRoot() / Double(rows.count)
        let ends = [exp(mean - reach), exp(mean + reach)].map { String(Quantity.ratio($0).dropLast()) }
        return "\(text) (\(ends.joined(separator: " to ")))"
    }

    /// Failures, wrong answers, and rows with two modes or without a verdict.
    private var troubles: [String] {
        let rows = document.rows
        func listed(_ title: String, _ names: [String]) -> [String] {
            guard !names.isEmpty else { return [] }
            var text = "\(title): "
            for (number, name) in names.enumerated() {
                let rest = names.count - number
                let more = rest > 1 ? ", and \(rest - 1) more" : ""
                guard text.count + name.count + more.count <= Self.columns || number == 0 else {
                    return [text + "and \(rest) more"]
                }
                text += name + (rest > 1 ? ", " : "")
            }
            return [text]
        }
        let failed = rows.compactMap { row in row.failure.map { "\(row.name) \($0)" } }
        let ahead = rows.filter { $0.isPeer && ($0.ratio ?? 1) < 1 && document.noise.isClaim($0) }
        func names(_ cases: [Peers]) -> [String] { cases.map { "\($0.stage)/\($0.case)" } }
        let lacking = rows.allSatisfy(\.isPeer) ? [] : cases.filter(\.lacksOurs)
        let close = rows.filter { $0.isPeer && $0.ratio != nil && !document.noise.isClaim($0) }
        return listed("failed", failed)
            + listed("wrong answers", rows.filter { $0.wrong > 0 }.map { "\($0.name) \($0.wrong)" })
            + listed("faster than ours", ahead.map(\.name.description))
            + listed("too close to call", close.map(\.name.description))
            + listed("left out, nearest peer had no undisturbed time", names(cases.filter(\.isUnsure)))
            + listed("left out, no such row of ours", names(lacking))
            + listed("two modes", rows.filter { $0.modes != nil }.map(\.name.description))
            + listed("~ slow host, typical times", rows.filter(\.lacksFullSpeed).map(\.name.description))
    }

    private var machine: String {
        let noise = document.noise
        var parts = noise.clockText.map { [$0] } ?? []
        parts.append("steal \(noise.stolen.map(Quantity.percent) ?? Quantity.missing)")
        if let load = noise.loadAfter { parts.append("load \(Quantity.each(load)) of \(noise.processors)") }
        if let floor = noise.floor { parts.append("A/A ±\(Quantity.percent(floor))") }
        return "machine: " + parts.joined(separator: ", ")
    }

    private var details: String { "details: --verbose, or --json FILE and then report FILE; one pair: compare A B" }
}
