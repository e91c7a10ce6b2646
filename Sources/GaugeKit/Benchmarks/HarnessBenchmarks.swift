/// What the harness itself costs: operations that do nothing, measured like any other.
public enum HarnessBenchmarks {
    /// `batched/empty`: what is added to one operation of a batch. `timed/empty`: what is added to one that is timed
    /// alone, that is two readings of the clock and a record. `batched/step`: a multiplication that has to wait for the
    /// one before, for scale. `chain/64` and `chain/256`: so many of these steps in one operation, which have to take four
    /// times as long as the other. `allocation/one`: one allocation and its end, which the counter has to see as one.
    public static let all = [batchedEmpty, batchedStep, timedEmpty, chain(64), chain(256), allocation]

    private static let batchedEmpty = Benchmark(
        BenchmarkName("harness", "batched", "empty"), reference: "step", suites: ["harness"]
    ) { _ in
        PreparedBenchmark(.batched { operations in for index in 0..<operations { blackHole(index) } })
    }

    private static let batchedStep = Benchmark(
        BenchmarkName("harness", "batched", "step"), reference: "step", suites: ["harness"]
    ) { context in
        PreparedBenchmark(
            .batched { operations in
                var state = context.seed | 1
                for _ in 0..<operations { state = opaque(state &* 6_364_136_223_846_793_005) }
                blackHole(state)
            })
    }

    private static func chain(_ length: Int) -> Benchmark {
        Benchmark(BenchmarkName("harness", "chain", "\(length)"), reference: "64", suites: ["harness"]) { context in
            PreparedBenchmark(
                .batched { operations in
                    var state = context.seed | 1
                    for _ in 0..<operations {
                        for _ in 0..<length { state = opaque(state &* 6_364_136_223_846_793_005) }
                    }
                    blackHole(state)
                })
        }
    }

    private static let timedEmpty = Benchmark(
        BenchmarkName("harness", "timed", "empty"), reference: "empty", suites: ["harness"]
    ) { _ in
        PreparedBenchmark(
            .timed { operations, recorder in
                for _ in 0..<operations { recorder.time { .computed } }
            })
    }

    private static let allocation = Benchmark(
        BenchmarkName("harness", "allocation", "one"), reference: "one", suites: ["harness"]
    ) { _ in
        PreparedBenchmark(
            .batched { operations in
                for _ in 0..<operations {
                    let memory = UnsafeMutableRawPointer.allocate(byteCount: 100, alignment: 8)
                    blackHole(memory)
                    memory.deallocate()
                }
            })
    }
}
