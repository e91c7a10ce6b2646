import Platform
import Testing

@testable import GaugeMeasurement

@Suite("Extra work") struct ExtraWorkTests {
    /// The operations that the body runs when it is asked for each of these numbers.
    private func run(_ part: Double, _ asked: [Int], isTimed: Bool) -> [Int] {
        let done = Locked<[Int]>([])
        func note(_ operations: Int) { done.withLock { $0.append(operations) } }
        let body: PreparedBenchmark.Body = isTimed ? .timed { count, _ in note(count) } : .batched { note($0) }
        var recorder = LatencyRecorder()
        switch ExtraWork.added(part, to: PreparedBenchmark(body)).body {
        case .batched(let run): for count in asked { run(count) }
        case .timed(let run): for count in asked { run(count, &recorder) }
        case .threaded: Issue.record("another kind of body")
        }
        return done.withLock { $0 }
    }

    @Test("three operations in a hundred are added, however few run at once", arguments: [false, true])
    func remainder(isTimed: Bool) {
        #expect(run(0.03, [100, 1_000, 10], isTimed: isTimed) == [103, 1_030, 10])
        // A quarter of each call is owed, and done at every fourth.
        #expect(run(0.25, Array(repeating: 1, count: 8), isTimed: isTimed) == [1, 1, 1, 2, 1, 1, 1, 2])
        #expect(run(0.75, Array(repeating: 2, count: 4), isTimed: isTimed) == [3, 4, 3, 4])
        #expect(run(0, [7], isTimed: isTimed) == [7] && run(10, [7], isTimed: isTimed) == [77])
    }

    @Test("each thread does as much more, rounded") func threads() {
        let done = Locked<[String]>([])
        let body = PreparedBenchmark.Body.threaded(threads: 3) { thread, count in
            done.withLock { $0.append("\(thread): \(count)") }
        }
        guard case .threaded(let threads, let run) = ExtraWork.added(0.3, to: PreparedBenchmark(body)).body else {
            Issue.record("another kind of body")
            return
        }
        run(1, 11)
        run(2, 12)
        #expect(threads == 3 && done.withLock { $0 } == ["1: 14", "2: 16"])
    }

    @Test("outcome, figures and end stay those of the benchmark") func rest() throws {
        let prepared = ExtraWork.added(
            0.5, to: PreparedBenchmark(.batched { _ in }, outcome: .diskHit, figures: { [Figure("a", 1)] }))
        #expect(try prepared.outcome == .diskHit && prepared.figures() == [Figure("a", 1)])
    }
}
