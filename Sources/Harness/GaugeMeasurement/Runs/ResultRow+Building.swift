import GaugeSupport

extension ResultRow {
    /// Builds the rows of one case, in the order of its benchmarks.
    ///
    /// - Parameters:
    ///   - speed: which probes of the run were at full speed; `nil` if none ran.
    ///   - seed: the seed of the bootstrap for the intervals of medians; without it they have none.
    ///   - variation: how far sets usually differ in the run; `nil` to use each row's sets alone.
    package static func rows(
        of results: [BenchmarkMeasurements], speed: FullSpeed? = nil, seed: UInt64? = nil,
        variation: RunVariation? = nil
    ) -> [ResultRow] {
        rows(ofEach: results, speed: speed, seed: seed, variation: variation).flatMap(\.self)
    }

    package static func rows(
        ofEach results: [BenchmarkMeasurements], speed: FullSpeed? = nil, seed: UInt64? = nil,
        variation: RunVariation? = nil
    ) -> [[ResultRow]] {
        var rows = results.map { Self.rows(of: $0, speed, seed: seed) }
        for index in rows.indices {
            for line in rows[index].indices { rows[index][line].estimate(variation) }
        }
        // A reference's undisturbed time counts too, so all are estimated first.
        var pairs = pairs(of: results, rows).makeIterator()
        for index in rows.indices {
            for line in rows[index].indices { rows[index][line].compare(with: pairs.next()?.reference, variation) }
        }
        return rows
    }

    private static func rows(of result: BenchmarkMeasurements, _ speed: FullSpeed?, seed: UInt64?) -> [ResultRow] {
        var whole = ResultRow(name: result.benchmark.name, isPeer: result.benchmark.isPeer)
        whole.isUsual = result.benchmark.isUsual
        whole.threads = result.prepared?.threads ?? 1
        whole.wrong = result.wrong
        whole.failure = result.failure
        whole.figures = result.figures
        whole.isSteady = result.isSteady
        whole.instructions = result.instructions
        let slices = result.slices
        guard !slices.isEmpty else { return [whole] }

        whole.operations = slices.reduce(0) { $0 + $1.operations }
        whole.cpu = slices.reduce(0) { $0 + Double($1.cpuNanoseconds) } / Double(whole.operations)
        let others = slices.compactMap(\.otherNanoseconds)
        if others.count == slices.count {
            let operations = slices.reduce(whole.operations) { $0 + $1.restOperations }
            whole.otherCPU = others.reduce(0) { $0 + Double($1) } / Double(operations)
        }
        whole.counters = result.counters
        whole.peakResidentBytes = result.peakResidentBytes
        whole.clockError = speed?.error(isCorrected: slices.contains(where: \.hasClockRate)) ?? 0
        guard result.prepared?.kind == .timed else {
            whole.fill(from: result, nil, speed, seed: seed)
            let all = Samples(slices.flatMap(\.batches))
            whole.median = all.median
            whole.mean = all.mean
            whole.operationsPerSecond = whole.median.map { $0 > 0 ? 1e9 / $0 : 0 }
            whole.fillSingles(from: result)
            return [whole]
        }
        // The body's work between operations (making bodies, checking answers) isn't the subject's time.
        let timed = result.histograms.values.reduce(0) { $0 + $1.sum }
        whole.operationsPerSecond = timed > 0 ? Double(whole.operations) / Double(timed) * 1e9 : nil
        whole.spread = Samples(slices.compactMap(\.mean)).spread
        whole.sets = result.sets.map { SetTimes(meanOf: $0) }
        whole.comparison = .mean
        return timedRows(whole, result, speed, seed: seed)
    }

    /// One outcome makes one row with the benchmark's name. Several make a row each, below a row for the whole with
    /// only a throughput.
    private static func timedRows(
        _ whole: ResultRow, _ result: BenchmarkMeasurements, _ speed: FullSpeed?, seed: UInt64?
    ) -> [ResultRow] {
        let outcomes = Outcome.allCases.filter { result.histograms[$0] != nil }
        let lines = outcomes.map { outcome in
            var line = whole
            if outcomes.count > 1 {
                line.name = BenchmarkName(
                    whole.name.stage, "\(whole.name.case)-\(outcome.rawValue)", whole.name.subject)
                line.counters = nil
                line.instructions = nil
                (line.cpu, line.otherCPU) = (nil, nil)
                line.figures = []
            }
            line.fill(from: result, outcome, speed, seed: seed)
            if result.benchmark.comparesMeans { line.comparison = .mean }
            if outcome == .store || outcome == .storeEvict { line.tellOfStores() }
            return line
        }
        return outcomes.count == 1 ? lines : [whole] + lines
    }

    /// Adds figures that show how evenly stores share deferred work.
    private mutating func tellOfStores() {
        comparison = .mean
        guard let mean, let median, median > 0 else { return }
        let slow = percentile(0.999).map {
            [Figure("p99.9", $0.value, .nanoseconds), Figure("p99.9 over median", $0.value / median)]
        }
        figures = [Figure("mean", mean, .nanoseconds)] + (slow ?? []) + figures
    }

    /// Fills in the times of all batches, or of the operations with one outcome.
    private mutating func fill(
        from result: BenchmarkMeasurements, _ outcome: Outcome?, _ speed: FullSpeed?, seed: UInt64?
    ) {
        comparison = .undisturbed
        sets = result.sets.map { SetTimes($0, outcome, speed) }
        let slices = result.slices.map { $0.tally(of: outcome) }.filter { $0.count > 0 }
        modes = Modes(slices.compactMap { $0.quantile(0.5) })
        spread = Samples(slices.compactMap { $0.quantile(0.5) }).spread
        let merged = Tally(merging: slices)
        minimum = merged.entries.first?.value
        maximum = merged.entries.last?.value
        outliers = Outliers(merged)
        if let seed {
            let bySet = result.sets.map { Tally(merging: $0.map { $0.tally(of: outcome) }) }
            interval = MedianInterval.of(bySet, seed: seed) ?? MedianInterval.of(slices, seed: seed)
        }
        if let outcome, let all = result.histograms[outcome] { fill(from: all) }
    }

    /// Fills in the percentiles of single operations, without the time of reading the clock.
    private mutating func fillSingles(from result: BenchmarkMeasurements) {
        guard let times = result.singles.values.first, let clock = Samples(result.clockCosts).median,
            let middle = times.quantile(0.5)
        else { return }
        singles = SingleTimes(operations: Int(clamping: times.count), median: max(0, middle - clock), clock: clock)
        percentiles = Percentile.reported.compactMap { Percentile($0, of: times)?.less(clock) }
    }

    private mutating func estimate(_ variation: RunVariation?) {
        func estimate(_ figure: SetFigure) -> Estimate? {
            figure.values(self).estimate(variation?.ofTimes(figure))
        }
        overSets = comparison == .mean ? estimate(.mean) : nil
        guard median != nil else { return }
        let times = SetFigure.undisturbed.values(self)
        if UndisturbedTime.isEnough(times.values.count, of: times.sets) {
            undisturbed = estimate(.undisturbed)?.widened(by: clockError).widened(by: moodError)
        } else if comparison == .undisturbed {
            overSets = estimate(.typical)
        }
    }

    /// Fills in the distribution of operations timed one by one.
    private mutating func fill(from all: Histogram) {
        operations = Int(clamping: all.count)
        minimum = Double(all.minimum)
        maximum = Double(all.maximum)
        median = all.quantile(0.5)
        mean = all.mean
        percentiles = Percentile.reported.compactMap { Percentile($0, of: all) }
        quantiles = Self.curve.compactMap { all.quantile($0) }
        operationsPerSecond = all.mean.map { $0 > 0 ? 1e9 / $0 : 0 }
    }
}

extension ResultRow {
    /// Each row of a case with its reference's row.
    static func pairs(
        of results: [BenchmarkMeasurements], _ rows: [[ResultRow]]
    ) -> [(row: ResultRow, reference: ResultRow?)] {
        zip(results, rows).flatMap { result, lines in
            let other = results.firstIndex { $0.benchmark.name.subject == result.benchmark.reference }
            return lines.map { line in (line, other.flatMap { rows[$0].first { $0.name.case == line.name.case } }) }
        }
    }

    mutating func compare(with reference: ResultRow?, _ variation: RunVariation?) {
        guard let reference, reference.operations > 0 else { return }
        guard name != reference.name else {
            ratio = 1
            return
        }
        guard let (estimate, figure) = Self.ratio(self, to: reference, variation) else { return }
        ratio = estimate.value
        ratioInterval = estimate.interval
        isRatioPaired = figure == .typical
    }

    /// The ratio of two rows' times, set by set: of means, or of undisturbed times. If the machine was too rarely at
    /// full speed, the latter comes from slices in the same mood (see `PairedRatios`). Undisturbed times from different
    /// sets are divided as a whole.
    ///
    /// - Returns: `nil` if the rows have no useful set in common.
    package static func ratio(
        _ row: ResultRow, to reference: ResultRow, _ variation: RunVariation? = nil
    ) -> (estimate: Estimate, figure: SetFigure)? {
        let usesMean = row.comparison == .mean || reference.comparison == .mean
        for figure in usesMean ? [SetFigure.mean] : [.undisturbed, .typical] {
            let figures = figure.ratios(row, to: reference)
            if figure == .undisturbed, !UndisturbedTime.isEnough(figures.values.count, of: figures.sets) {
                // Both may still have undisturbed times, in different sets.
                guard figures.sets > 0, let time = row.undisturbed, let other = reference.undisturbed else { continue }
                return (time.over(other), figure)
            }
            guard let estimate = figures.estimate(variation?.ofRatios(figure)) else { continue }
            guard figure != .mean else { return (estimate, figure) }
            // Both feel most moods alike.
            let (ours, theirs) = (row.moodError, reference.moodError)
            return (estimate.widened(by: (ours * ours + theirs * theirs).squareRoot() / 2), figure)
        }
        return nil
    }
}
