import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

@Suite("Measurements of a benchmark") struct BenchmarkMeasurementsTests {
    private func result(isPeer: Bool = false) -> BenchmarkMeasurements {
        BenchmarkMeasurements(
            Benchmark(BenchmarkName("a", "b", "c"), isPeer: isPeer) { _ in PreparedBenchmark(.batched { _ in }) })
    }

    /// Each failure, with whether it makes the subject's results untrustworthy, and whether it is an error.
    private static let failures: [(WorkerFailure?, isFatal: Bool, isError: Bool)] = [
        (nil, false, false), (.crashed(signal: 11), true, true), (.exited(code: 1), true, true),
        (.timedOut, true, true), (.notReady(seconds: 3), true, true), (.noTimeLeft, false, true),
        (.tooSlow(reason: ""), false, false), (.failed(reason: ""), false, true), (.misunderstood(""), false, true),
    ]

    @Test("what failed is fatal, an error or neither, and never either for a peer") func failures() {
        for (failure, isFatal, isError) in Self.failures {
            for isPeer in [false, true] {
                var result = result(isPeer: isPeer)
                result.failure = failure
                let name = "\(failure.map(\.description) ?? "none"), peer \(isPeer)"
                #expect(result.isFatal == (isFatal && !isPeer), "\(name)")
                #expect(result.isError == (isError && !isPeer), "\(name)")
                let run = SuiteRun.Results(measurements: [[self.result()], [self.result(), result]])
                let code: ExitCodeOfRun = isPeer ? .ok : isFatal ? .wrongAnswer : isError ? .failure : .ok
                #expect(run.exitCode.rawValue == code.rawValue, "\(name)")
                let interrupted = SuiteRun.Results(measurements: [[result]], isInterrupted: true)
                #expect(interrupted.exitCode == .interrupted)
            }
        }
    }

    private enum ExitCodeOfRun: Int32 { case ok = 0, failure = 1, wrongAnswer = 3 }

    @Test("a wrong answer is fatal for the subject and counted for a peer") func wrong() {
        for isPeer in [false, true] {
            var result = result(isPeer: isPeer)
            let answers = (0..<2).map { WrongAnswer(key: "\($0)", expected: "a", got: "b", history: []) }
            result.take(wrong: 1, [answers[0]])
            result.beginSet()
            result.take(wrong: 2, [answers[1]])
            #expect(result.wrong == 3 && result.wrongAnswers == [answers[0]] && result.isFatal == !isPeer)
            // Two sets that bring nothing new, as when their workers fail.
            for _ in 0..<2 { result.beginSet() }
            #expect(result.wrong == 3)
        }
    }

    @Test("a benchmark is steady when every worker was") func steady() {
        for (workers, isSteady) in [
            ([], nil), ([true, true], true), ([true, false], false), ([false, true, true], false),
        ] as [([Bool], Bool?)] {
            var result = result()
            for isSteady in workers { result.note(isSteady: isSteady) }
            #expect(result.isSteady == isSteady, "\(workers)")
        }
    }

    @Test("each figure is its median over the workers that have it, in the order of the first, told by its whole name")
    func figures() {
        let long = String(repeating: "x", count: 100)
        let (a, b) = ("\(long)a", "\(long)b")
        var result = result()
        #expect(result.figures.isEmpty)
        let first = [Figure("c", 7, .ratio), Figure(b, 10), Figure(a, 1, .nanoseconds)]
        result.add(first)
        #expect(result.figures == first)
        result.add([Figure(a, 3), Figure(b, 30), Figure("d", 5)])
        result.add([Figure(a, 2), Figure(b, 20), Figure("", 6)])
        #expect(result.figures == [Figure("c", 7, .ratio), Figure(b, 20), Figure(a, 2, .nanoseconds)])
    }

    @Test("the largest resident memory is that of any slice") func memory() {
        var result = result()
        for bytes in [5, 9, 7] as [UInt64] {
            var slice = SliceReply()
            slice.peakResidentBytes = bytes
            result.add(slice)
        }
        #expect(result.peakResidentBytes == 9)
        #expect(result.sets.map(\.count) == [3] && result.slices.isEmpty)
    }

    @Test("single hits give the row percentiles, less what the clock takes, and nothing else") func singles() throws {
        var result = result()
        var batches = SliceReply()
        (batches.operations, batches.batchOperations, batches.batches) = (200, 100, [3_000, 3_000])
        result.add(batches)
        for clock in [40, 44, 41] as [UInt64] {
            var report = SliceReply()
            var histogram = Histogram()
            for rank in 1...20_000 { histogram.add(nanoseconds: rank <= 19_500 ? 70 : 100) }
            report.histograms = [.memoryHit: histogram]
            report.clockNanoseconds = clock
            result.addSingles(report)
        }
        let row = try #require(ResultRow.rows(of: [result]).first)
        #expect(row.singles == SingleTimes(operations: 60_000, median: 29, clock: 41))
        #expect(row.percentile(0.9)?.value == 29 && row.percentile(0.99)?.value == 59)
        #expect(row.percentile(0.999)?.interval == 59...59)
        #expect(row.operations == 200 && row.median == 30 && row.maximum == 30 && row.quantiles.isEmpty)
    }
}
