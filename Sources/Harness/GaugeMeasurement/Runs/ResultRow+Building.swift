import GaugeStatistics

extension ResultRow {
    /// Builds the rows of one case, in the order of its subjects.
    ///
    /// - Parameter seed: the seed of the bootstrap for the intervals.
    package static func rows(of results: [BenchmarkMeasurements], seed: UInt64) -> [ResultRow] {
        var rows = results.map { Self.rows(of: $0, seed: seed) }
        for index in results.indices {
            let reference = results[index].benchmark.reference
            guard let other = results.firstIndex(where: { $0.benchmark.name.subject == reference }) else { continue }
            for line in rows[index].indices {
                let theirs = rows[other].first { $0.name.case == rows[index][line].name.case }
                rows[index][line].ratio = ratio(rows[index][line], to: theirs)
            }
        }
        return rows.flatMap(\.self)
    }

    /// The ratio of two rows' times: of the medians, of the means for stores, or of the throughputs where there is
    /// neither.
    package static func ratio(_ row: ResultRow, to reference: ResultRow?) -> Double? {
        if row.isStores, let ours = row.mean, let theirs = reference?.mean, theirs > 0 { return ours / theirs }
        if let ours = row.median, let theirs = reference?.median, theirs > 0 { return ours / theirs }
        guard let ours = row.operationsPerSecond, let theirs = reference?.operationsPerSecond, ours > 0 else {
            return nil
        }
        return theirs / ours
    }

    private static func rows(of result: BenchmarkMeasurements, seed: UInt64) -> [ResultRow] {
        var whole = ResultRow(name: result.benchmark.name, isPeer: result.benchmark.isPeer)
        whole.threads = result.prepared?.threads ?? 1
        whole.wrong = result.wrong
        whole.failure = result.failure
        whole.figures = result.figures
        whole.isSteady = result.isSteady
        whole.instructions = result.instructions
        let slices = result.slices.filter { $0.operations > 0 }
        guard !slices.isEmpty else { return [whole] }

        whole.operations = slices.reduce(0) { $0 + $1.operations }
        whole.cpu = slices.reduce(0) { $0 + Double($1.cpuNanoseconds) } / Double(whole.operations)
        whole.counters = slices.dropFirst().reduce(slices[0].counters) { $0 + $1.counters }
        whole.peakResidentBytes = slices.map(\.peakResidentBytes).max()
        guard result.prepared?.kind == .timed else {
            whole.fill(from: slices, slices.map { Tally($0.batchTimes) }, seed: seed)
            let all = Samples(slices.flatMap(\.batchTimes))
            whole.median = all.median
            whole.mean = all.mean
            whole.operationsPerSecond = whole.median.map { $0 > 0 ? 1e9 / $0 : 0 }
            return [whole]
        }
        // Work of the body between operations (making bodies, checking answers) is not the subject's time.
        let timed = slices.reduce(0) { $0 + $1.histograms.values.reduce(0) { $0 + $1.sum } }
        whole.operationsPerSecond = timed > 0 ? Double(whole.operations) / Double(timed) * 1e9 : nil
        whole.spread = Samples(slices.map { Double($0.nanoseconds) / Double($0.operations) }).spread
        return timedRows(whole, slices, seed: seed)
    }

    /// One outcome makes one row with the benchmark's own name. Several make a row each, below a row for the whole that
    /// has only a throughput.
    private static func timedRows(_ whole: ResultRow, _ slices: [SliceReport], seed: UInt64) -> [ResultRow] {
        let outcomes = Outcome.allCases.filter { outcome in slices.contains { $0.histograms[outcome] != nil } }
        let lines = outcomes.map { outcome in
            var line = whole
            if outcomes.count > 1 {
                line.name = BenchmarkName(
                    whole.name.stage, "\(whole.name.case)-\(outcome.rawValue)", whole.name.subject)
                line.counters = nil
                line.instructions = nil
                line.cpu = nil
                line.figures = []
            }
            let with = slices.filter { $0.histograms[outcome] != nil }
            line.fill(from: with, outcome, seed: seed)
            if outcome == .store || outcome == .storeEvict { line.tellOfStores() }
            return line
        }
        return outcomes.count == 1 ? lines : [whole] + lines
    }

    /// Fills the row from operations timed one by one.
    private mutating func fill(from slices: [SliceReport], _ outcome: Outcome, seed: UInt64) {
        let histograms = slices.compactMap { $0.histograms[outcome] }
        var all = Histogram()
        for histogram in histograms { all.merge(histogram) }
        fill(from: slices, histograms.map(Tally.init), seed: seed)
        operations = Int(clamping: all.count)
        minimum = Double(all.minimum)
        maximum = Double(all.maximum)
        median = all.quantile(0.5)
        mean = all.mean
        percentiles = Percentile.reported.compactMap { Percentile($0, of: all) }
        quantiles = Self.curve.compactMap { all.quantile($0) }
        operationsPerSecond = all.mean.map { $0 > 0 ? 1e9 / $0 : 0 }
    }

    /// Adds figures that show how evenly stores share deferred work.
    private mutating func tellOfStores() {
        isStores = true
        guard let mean, let median, median > 0 else { return }
        let slow = percentile(0.999).map {
            [Figure("p99.9", $0.value, .nanoseconds), Figure("p99.9 over median", $0.value / median)]
        }
        figures = [Figure("mean", mean, .nanoseconds)] + (slow ?? []) + figures
    }

    /// Fills the figures that batches and single operations have in common.
    private mutating func fill(from reports: [SliceReport], _ tallies: [Tally], seed: UInt64) {
        let merged = Tally(merging: tallies)
        minimum = merged.entries.first?.value
        maximum = merged.entries.last?.value
        outliers = Outliers(merged)
        interval = MedianInterval.of(tallies, seed: seed)
        slices = zip(reports, tallies).compactMap { report, tally in
            tally.quantile(0.5).map { time in
                Slice(
                    operations: Int(clamping: tally.count * UInt64(max(1, report.batchOperations))), time: time,
                    cpu: Double(report.cpuNanoseconds) / Double(max(1, report.operations)))
            }
        }
        spread = Samples(slices.map(\.time)).spread
    }
}

extension SliceReport {
    /// The time of one operation in each batch, nanoseconds.
    package var batchTimes: [Double] { batches.map { Double($0) / Double(max(1, batchOperations)) } }

    /// The median time of an operation, or the mean over a mixture of outcomes.
    package var typicalOrMean: Double? { typical ?? (operations > 0 ? Double(nanoseconds) / Double(operations) : nil) }

    /// The median time of an operation; `nil` for several outcomes, whose median has no meaning.
    package var typical: Double? {
        guard histograms.isEmpty else { return histograms.count == 1 ? histograms.first?.value.quantile(0.5) : nil }
        return Samples(batchTimes).median
    }
}
