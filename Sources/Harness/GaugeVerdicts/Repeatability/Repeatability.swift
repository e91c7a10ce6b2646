import GaugeStatistics

/// How well the runs of a log agree with each other. Every run counts.
package struct Repeatability {
    /// One figure of one row over all runs.
    package struct Line: Equatable {
        package let name: String
        package let median: Double
        /// The 95th percentile of the runs over the 5th, minus 1.
        package let spread: Double
        /// The number of intervals that contain the median of all runs, and of all intervals.
        package let covered: Int
        package let intervals: Int
        /// The number of runs with the figure.
        package let runs: Int
        /// Whether the row or its reference allocates in each operation.
        package let allocates: Bool

        /// - Returns: `nil` without figures.
        init?(_ name: String, _ figures: [RepeatabilityRecord.Figure], allocates: Bool) {
            let values = Samples(figures.map(\.value))
            guard let median = values.median, let low = values.quantile(0.05), let high = values.quantile(0.95), low > 0
            else { return nil }
            let verdicts = figures.compactMap { $0.covers(median) }
            self.name = name
            self.median = median
            spread = high / low - 1
            covered = verdicts.count(where: \.self)
            intervals = verdicts.count
            runs = figures.count
            self.allocates = allocates
        }
    }

    package let runs: [RepeatabilityRecord.Run]
    /// The ratios of all rows that are not references, in listed order, and the undisturbed times of all rows.
    package let ratios: [Line]
    package let times: [Line]

    package init(_ runs: [RepeatabilityRecord.Run]) {
        self.runs = runs
        var order: [String] = []
        var rows: [String: [RepeatabilityRecord.Row]] = [:]
        for row in runs.flatMap(\.rows) {
            if rows[row.name] == nil { order.append(row.name) }
            rows[row.name, default: []].append(row)
        }
        let named = order.compactMap { name in rows[name].map { (name: name, rows: $0) } }
        func allocates(_ rows: [RepeatabilityRecord.Row]) -> Bool {
            rows.compactMap(\.allocations).contains { $0 >= 0.5 }
        }
        /// The rows of one case share everything before the last slash.
        func caseName(_ name: String) -> Substring { name[..<(name.lastIndex(of: "/") ?? name.endIndex)] }
        times = named.compactMap { Line($0.name, $0.rows.compactMap(\.time), allocates: allocates($0.rows)) }
        ratios = named.compactMap { name, rows in
            let references = named.filter { other in
                caseName(other.name) == caseName(name) && other.rows.allSatisfy { $0.ratio == nil }
            }
            return Line(
                name, rows.compactMap(\.ratio),
                allocates: allocates(rows) || references.contains { allocates($0.rows) })
        }
    }

    /// The part of intervals that cover; `nil` without intervals.
    package static func coverage(_ lines: [Line]) -> Double? {
        let intervals = lines.reduce(0) { $0 + $1.intervals }
        return intervals > 0 ? Double(lines.reduce(0) { $0 + $1.covered }) / Double(intervals) : nil
    }
}
