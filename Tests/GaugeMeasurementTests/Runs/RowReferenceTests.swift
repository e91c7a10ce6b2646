import Foundation
import TestSupport
import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

/// Every figure of a row against a second computation from the reports of the workers, on random runs.
@Suite("Rows against a second computation") struct RowReferenceTests {
    private static let full = FullSpeed([SpeedReading(parallel: 100): 1])

    private func close(_ found: Double?, _ expected: Double?) -> Bool {
        guard let found, let expected else { return found == nil && expected == nil }
        return abs(found - expected) <= 1e-9 * abs(expected)
    }

    private func measurements(
        _ subject: String, _ sets: [[SliceReply]], kind: PreparedReply.Kind
    ) -> BenchmarkMeasurements {
        let benchmark = Benchmark(BenchmarkName("memory", "hit", subject), isPeer: subject != "tiered") { _ in
            PreparedBenchmark(.batched { _ in })
        }
        var result = BenchmarkMeasurements(benchmark)
        result.prepared = PreparedReply(kind: kind, threads: 2, outcome: .memoryHit)
        for set in sets {
            result.beginSet()
            for slice in set { result.add(slice) }
        }
        return result
    }

    private func counters(_ random: inout Xoshiro256, _ slice: inout SliceReply) {
        slice.cpuNanoseconds = 1 + random.next(below: 9_000)
        slice.otherNanoseconds = slice.cpuNanoseconds % 700
        if slice.cpuNanoseconds % 3 == 0 {
            slice.restNanoseconds = slice.cpuNanoseconds % 900
            slice.restOperations = Int(slice.cpuNanoseconds % 40)
        }
        slice.counters.wakeUps = slice.cpuNanoseconds % 30
        slice.counters.allocations = random.next(below: 900)
        slice.counters.readCalls = random.next(below: 900)
        slice.counters.pageFaults = random.next(below: 900)
        slice.peakResidentBytes = random.next(below: 1 << 30)
    }

    private func batched(_ random: inout Xoshiro256) -> SliceReply {
        var slice = SliceReply()
        slice.batchOperations = 50
        slice.batches = (0..<(1 + random.next(below: 12))).map { _ in 1_000 + random.next(below: 4_000) }
        slice.operations = 50 * slice.batches.count
        slice.nanoseconds = slice.batches.reduce(0, +)
        slice.probes = (0...slice.batches.count).map { _ in
            random.next(below: 5) == 0 ? 150 : 90 + random.next(below: 16)
        }
        slice.interruptions = slice.batches.indices.filter { _ in random.next(below: 7) == 0 }
        counters(&random, &slice)
        return slice
    }

    /// Random sets of up to five slices; some sets are empty.
    private func sets(_ random: inout Xoshiro256, count: Int, _ make: (inout Xoshiro256) -> SliceReply)
        -> [[SliceReply]]
    {
        (0..<count).map { _ in (0..<random.next(below: 6)).map { _ in make(&random) } }
    }

    /// The batches that no interruption and no slow probe touches, per operation, in ascending order.
    private func quick(_ set: [SliceReply]) -> [Double] {
        var quick: [Double] = []
        for slice in set {
            for (index, batch) in slice.batches.enumerated() where slice.interruptions?.contains(index) == false {
                guard let probes = slice.probes, probes[index] <= 106, probes[index + 1] <= 106 else { continue }
                quick.append(Double(batch) / 50)
            }
        }
        return quick.sorted()
    }

    /// The lower quartile of these.
    private func undisturbed(_ set: [SliceReply]) -> Double? {
        let quick = quick(set)
        let all: Int = set.map(\.batches.count).reduce(0, +)
        guard !quick.isEmpty, quick.count >= 6 || quick.count >= all / 4 else { return nil }
        return quarter(1, quick)
    }

    private func quarter(_ number: Int, _ sorted: [Double]) -> Double {
        let (below, rest) = ((sorted.count - 1) * number).quotientAndRemainder(dividingBy: 4)
        let above = sorted[min(below + 1, sorted.count - 1)]
        return sorted[below] + (above - sorted[below]) * Double(rest) / 4
    }

    /// The median over the sets of half the distance of these quartiles, as a part of the median.
    private func mood(_ sets: [[SliceReply]]) -> Double {
        let spreads = sets.filter { undisturbed($0) != nil }.map { set in
            let quick = quick(set)
            return quick.count < 3 ? 0 : (quarter(3, quick) - quarter(1, quick)) / 2 / quarter(2, quick)
        }
        return spreads.isEmpty ? 0 : quarter(2, spreads.sorted())
    }

    /// The middle value, the lower of two.
    private func middle(_ values: [Double]) -> Double { values.sorted()[(values.count - 1) / 2] }

    @Test("batches") func batches() throws {
        var random = Xoshiro256(seed: 81)
        var compared = 0
        let rounds = nightly(200, else: 60)
        for _ in 0..<rounds {
            let count = 1 + Int(random.next(below: 12))
            let (ours, theirs) = (sets(&random, count: count, batched), sets(&random, count: count, batched))
            let rows = ResultRow.rows(
                of: [
                    measurements("tiered", ours, kind: .batched), measurements("foundation", theirs, kind: .batched),
                ], speed: Self.full)
            let all = theirs.flatMap(\.self)
            guard let row = rows.last, !all.isEmpty else { continue }
            let done: Int = all.map(\.operations).reduce(0, +)
            let operations = Double(done)
            let times: [Double] = all.flatMap(\.batches).map { Double($0) / 50 }.sorted()
            #expect(row.operations == done && row.threads == 2 && row.isPeer)
            let used: UInt64 = all.map(\.cpuNanoseconds).reduce(0, +)
            #expect(close(row.cpu, Double(used) / operations))
            let others: UInt64 = all.compactMap(\.otherNanoseconds).reduce(0, +)
            let rest: UInt64 = all.compactMap(\.restNanoseconds).reduce(0, +)
            let between: Int = all.compactMap(\.restOperations).reduce(0, +)
            let otherCPU = Double(others + rest) / Double(done + between)
            #expect(close(row.otherCPU, otherCPU))
            #expect(close(row.processCPU, Double(used) / operations + otherCPU))
            let wakeUps: UInt64 = all.compactMap(\.counters.wakeUps).reduce(0, +)
            #expect(close(row.wakeUps, Double(wakeUps) / operations))
            let sum: Double = times.reduce(0, +)
            #expect(close(row.mean, sum / Double(times.count)))
            let (left, right) = (times[(times.count - 1) / 2], times[times.count / 2])
            #expect(close(row.median, (left + right) / 2))
            #expect(row.minimum == times.first && row.maximum == times.last)
            #expect(close(row.operationsPerSecond, row.median.map { 1e9 / $0 }))
            let readCalls: UInt64 = all.compactMap(\.counters.readCalls).reduce(0, +)
            let pageFaults: UInt64 = all.map(\.counters.pageFaults).reduce(0, +)
            let allocations: UInt64 = all.compactMap(\.counters.allocations).reduce(0, +)
            #expect(row.counters?.readCalls == readCalls && row.counters?.pageFaults == pageFaults)
            #expect(close(row.allocations, Double(allocations) / operations))
            #expect(row.peakResidentBytes == all.map(\.peakResidentBytes).max())
            for (set, found) in zip(theirs, row.sets) {
                let done: Int = set.map(\.operations).reduce(0, +)
                #expect(found.operations == done)
                let medians = set.map { slice -> Double in middle(slice.batches.map { Double($0) / 50 }) }
                #expect(found.slices == medians)
                #expect(close(found.undisturbed, undisturbed(set)))
                let time: UInt64 = set.map(\.nanoseconds).reduce(0, +)
                let cpu: UInt64 = set.map(\.cpuNanoseconds).reduce(0, +)
                #expect(close(found.mean, done == 0 ? nil : Double(time) / Double(done)))
                #expect(close(found.cpu, done == 0 ? nil : Double(cpu) / Double(done)))
            }
            // Sets with the same number ran side by side.
            let both = zip(theirs, ours).filter { !$0.isEmpty && !$1.isEmpty }
            let ratios = both.compactMap { set, other -> Double? in
                guard let time = undisturbed(set), let reference = undisturbed(other) else { return nil }
                return time / reference
            }
            let isQuarter = !ratios.isEmpty && 4 * ratios.count >= both.count
            let isEnough = ratios.count >= 4 || isQuarter && (ratios.count > 1 || both.count <= 2)
            let mood = (pow(mood(ours), 2) + pow(mood(theirs), 2)).squareRoot() / 2
            let expected = isEnough ? SetEstimate.of(ratios)?.widened(by: mood) : nil
            if !isEnough {
                // Typical times in the same mood, or undisturbed ones of different sets.
                let quotient =
                    both.isEmpty
                    ? nil : row.undisturbed.flatMap { time in rows[0].undisturbed.map { time.value / $0.value } }
                #expect(row.isRatioPaired || close(row.ratio, quotient))
            } else {
                #expect(
                    close(row.ratio, expected?.value)
                        && close(row.ratioInterval?.lowerBound, expected?.interval?.lowerBound))
                #expect(close(row.ratioInterval?.upperBound, expected?.interval?.upperBound))
                compared += row.ratio == nil ? 0 : 1
            }
            let speeds = theirs.filter { !$0.isEmpty }.compactMap(undisturbed)
            #expect((row.undisturbed == nil) == (SetEstimate.of(speeds) == nil) || row.lacksFullSpeed)
            if let time = row.undisturbed {
                let expected = SetEstimate.of(speeds)?.widened(by: self.mood(theirs))
                #expect(close(time.value, expected?.value))
                #expect(close(time.interval?.lowerBound, expected?.interval?.lowerBound))
                #expect(close(time.interval?.upperBound, expected?.interval?.upperBound))
            }
        }
        #expect(compared > rounds / 2, "\(compared)")
    }

    /// Operations with these outcomes, of less than 256 ns, which a histogram holds exactly.
    private func timed(_ random: inout Xoshiro256) -> SliceReply {
        var slice = SliceReply()
        for outcome in [Outcome.memoryHit, .miss, .store] where random.next(below: 3) > 0 {
            var histogram = Histogram()
            for _ in 0..<(1 + random.next(below: 30)) { histogram.add(nanoseconds: 1 + random.next(below: 250)) }
            slice.histograms[outcome] = histogram
            slice.operations += Int(histogram.count)
            // The body takes as long again between the operations.
            slice.nanoseconds += 2 * histogram.sum
        }
        counters(&random, &slice)
        return slice
    }

    private func times(_ slices: [SliceReply], _ outcome: Outcome) -> [Double] {
        slices.flatMap { $0.histograms[outcome]?.buckets ?? [] }
            .flatMap { [Double](repeating: Double($0.lowest), count: Int($0.count)) }.sorted()
    }

    @Test("operations with several outcomes, each charged with its own time alone") func outcomes() throws {
        var random = Xoshiro256(seed: 82)
        for _ in 0..<25 {
            let measured = sets(&random, count: 1 + Int(random.next(below: 8)), timed)
            let all = measured.flatMap(\.self).filter { $0.operations > 0 }
            let rows = ResultRow.rows(of: [measurements("tiered", measured, kind: .timed)], speed: Self.full)
            let present = [Outcome.memoryHit, .miss, .store].filter { !times(all, $0).isEmpty }
            guard !present.isEmpty else { continue }
            #expect(rows.count == (present.count == 1 ? 1 : 1 + present.count))
            let whole = rows[0]
            let sum: Double = present.flatMap { times(all, $0) }.reduce(0, +)
            let operations: Int = all.map(\.operations).reduce(0, +)
            let count = Double(operations)
            if present.count > 1 {
                #expect(whole.operations == operations && whole.median == nil && whole.comparison == .mean)
                #expect(close(whole.operationsPerSecond, count / sum * 1e9))
            }
            for (outcome, row) in zip(present, rows.suffix(present.count)) {
                let values = times(all, outcome)
                #expect(row.operations == values.count)
                let total: Double = values.reduce(0, +)
                #expect(close(row.mean, total / Double(values.count)))
                #expect(row.median == middle(values) && row.minimum == values.first && row.maximum == values.last)
                #expect(close(row.operationsPerSecond, row.mean.map { 1e9 / $0 }))
                #expect(row.comparison == (outcome == .store ? .mean : .undisturbed))
                #expect((row.cpu == nil) == (present.count > 1))
                for (set, found) in zip(measured, row.sets) {
                    let own = times(set, outcome)
                    #expect(found.operations == own.count)
                    let spent: Double = own.reduce(0, +)
                    #expect(close(found.mean, own.isEmpty ? nil : spent / Double(own.count)))
                    let medians = set.map { times([$0], outcome) }.filter { !$0.isEmpty }.map(middle)
                    #expect(found.slices == medians)
                }
            }
        }
    }

    @Test("wrong answers are counted by worker and added, and a figure is the median over the workers") func workers() {
        var (first, second) = (SliceReply(), SliceReply())
        (first.wrong, second.wrong) = (1, 4)
        var result = measurements("tiered", [[first, second], [first], [second]], kind: .batched)
        #expect(result.wrong == 4 + 1 + 4)
        for value in [5.0, 1, 9, 2] {
            result.add([Figure("evictions", value), Figure("hit ratio", 1 / value, .ratio)])
        }
        #expect(result.figures == [Figure("evictions", 3.5), Figure("hit ratio", 0.35, .ratio)])
    }
}
