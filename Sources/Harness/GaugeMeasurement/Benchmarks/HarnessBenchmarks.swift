// Invariant of the pointers: an operation's memory is freed before it ends, and nothing keeps it.

import Platform
import Synchronization

/// What the harness itself costs: operations that do nothing, measured like any other.
package enum HarnessBenchmarks {
    /// - `batched/empty`: the cost added to one operation of a batch.
    /// - `timed/empty`: the cost added to one operation timed alone, i.e. two readings of the clock and a record.
    /// - `batched/step`: a multiplication that depends on the previous one, for scale.
    /// - `chain/64` and `chain/256`: so many of these steps in one operation; the second takes four times as long.
    /// - `allocation/one`: one allocation and its release, which the allocation counter must count as one.
    /// - `handover/2-threads`: one thread writes a word, and the other waits until it reads it. Shared data costs at
    ///   least this much each time it changes threads. On a virtual machine that may change within minutes.
    package static let all = [batchedEmpty, batchedStep, timedEmpty, chain(64), chain(256), allocation, handover]

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

    private static let handover = Benchmark(
        BenchmarkName("harness", "handover", "2-threads"), reference: "2-threads", suites: ["harness"]
    ) { _ in
        let token = Token()
        return PreparedBenchmark(
            .threaded(threads: 2) { thread, operations in
                for _ in 0..<operations { token.pass(from: thread, to: 1 - thread) }
            })
    }

    /// A token that one thread passes to another.
    private final class Token: Sendable {
        private let holder = Atomic<Int>(0)

        func pass(from thread: Int, to next: Int) {
            var looks = 0
            var backoff = SpinBackoff()
            while holder.load(ordering: .acquiring) != thread {
                // The other thread may not be running: let it run.
                looks += 1
                if looks > 1_000 { backoff.wait() }
            }
            holder.store(next, ordering: .releasing)
        }
    }
}
