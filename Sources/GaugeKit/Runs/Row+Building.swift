extension Row {
    /// The lines that the subjects of one case make, in their order.
    static func rows(of results: [SubjectResult]) -> [Row] {
        var rows = results.map(rows(of:))
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

    /// How many times as long: by the median, of stores by the mean, or by the throughput where there is neither.
    private static func ratio(_ row: Row, to reference: Row?) -> Double? {
        if row.isStores, let ours = row.mean, let theirs = reference?.mean, theirs > 0 { return ours / theirs }
        if let ours = row.median, let theirs = reference?.median, theirs > 0 { return ours / theirs }
        guard let ours = row.operationsPerSecond, let theirs = reference?.operationsPerSecond, ours > 0 else {
            return nil
        }
        return theirs / ours
    }

    private static func rows(of result: SubjectResult) -> [Row] {
        var whole = Row(name: result.benchmark.name, isPeer: result.benchmark.isPeer)
        whole.threads = result.prepared?.threads ?? 1
        whole.wrong = result.wrong
        whole.failure = result.failure
        whole.figures = result.figures
        let slices = result.slices.filter { $0.operations > 0 }
        guard !slices.isEmpty else { return [whole] }

        whole.operations = slices.reduce(0) { $0 + $1.operations }
        whole.cpu = slices.reduce(0) { $0 + Double($1.cpuNanoseconds) } / Double(whole.operations)
        whole.counters = slices.dropFirst().reduce(slices[0].counters) { $0 + $1.counters }
        whole.peakResidentBytes = slices.map(\.peakResidentBytes).max()
        guard result.prepared?.kind == .timed else {
            let batches = slices.map { slice in slice.batches.map { Double($0) / Double(max(1, slice.batchOperations)) }
            }
            let all = Samples(batches.joined())
            whole.minimum = all.minimum
            whole.median = all.median
            whole.spread = Samples(batches.compactMap { Samples($0).median }).spread
            whole.operationsPerSecond = whole.median.map { $0 > 0 ? 1e9 / $0 : 0 }
            return [whole]
        }
        // What a body does between its operations (making bodies, checking answers) is not the subject's time.
        let timed = slices.reduce(0) { $0 + $1.histograms.values.reduce(0) { $0 + $1.sum } }
        whole.operationsPerSecond = timed > 0 ? Double(whole.operations) / Double(timed) * 1e9 : nil
        whole.spread = Samples(slices.map { Double($0.nanoseconds) / Double($0.operations) }).spread
        return timedRows(whole, slices)
    }

    /// One outcome makes one line with the benchmark's own name; several make a line each, below one of the whole that
    /// has a throughput only.
    private static func timedRows(_ whole: Row, _ slices: [SliceReport]) -> [Row] {
        let outcomes = Outcome.allCases.filter { outcome in slices.contains { $0.histograms[outcome] != nil } }
        let lines = outcomes.map { outcome in
            var line = whole
            if outcomes.count > 1 {
                line.name = BenchmarkName(
                    whole.name.stage, "\(whole.name.case)-\(outcome.rawValue)", whole.name.subject)
                line.counters = nil
                line.cpu = nil
                line.figures = []
            }
            line.fill(from: slices.compactMap { $0.histograms[outcome] })
            if outcome == .store || outcome == .storeEvict { line.tellOfStores() }
            return line
        }
        return outcomes.count == 1 ? lines : [whole] + lines
    }

    private mutating func fill(from histograms: [Histogram]) {
        var all = Histogram()
        for histogram in histograms { all.merge(histogram) }
        operations = Int(clamping: all.count)
        minimum = Double(all.minimum)
        median = all.quantile(0.5)
        mean = all.mean
        p99 = all.quantile(0.99)
        p999 = all.quantile(0.999)
        spread = Samples(histograms.compactMap { $0.quantile(0.5) }).spread
        operationsPerSecond = all.mean.map { $0 > 0 ? 1e9 / $0 : 0 }
    }

    /// Puts beside the times of stores how evenly they bear what has to be done now and then.
    private mutating func tellOfStores() {
        isStores = true
        guard let mean, let median, let p999, median > 0 else { return }
        figures =
            [
                Figure("mean", mean, .nanoseconds), Figure("p99.9", p999, .nanoseconds),
                Figure("p99.9 over median", p999 / median),
            ] + figures
    }
}
