import Foundation
import Platform
import TestSupport
import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

/// A worker's side of the protocol, without a process.
@Suite("Worker session") struct WorkerSessionTests {
    /// The replies of a worker of this body to the requests, in their order, after its greeting.
    private static func replies(
        to requests: [WorkerRequest], of body: PreparedBenchmark.Body, figures: @escaping () throws -> [Figure] = { [] }
    ) throws -> [WorkerReply] {
        let directory = try ScratchDirectory()
        let paths = ["requests", "replies"].map { "\(directory.path)/\($0)" }
        let newline = Data([UInt8(ascii: "\n")])
        try requests.reduce(Data()) { try $0 + JSONEncoder().encode($1) + newline }.write(to: URL(filePath: paths[0]))
        nonisolated(unsafe) let prepared = PreparedBenchmark(body, figures: figures)
        let input = open(paths[0], O_RDONLY)
        let output = open(paths[1], O_WRONLY | O_CREAT, 0o600)
        defer {
            close(input)
            close(output)
        }
        var session = WorkerSession(
            Benchmark(BenchmarkName("a", "b", "c")) { _ in prepared },
            context: RunContext(seed: 1, memoryCapacity: 0, diskCapacity: 0, directory: directory.path),
            allocations: nil, input: input, output: output)
        try session.serve()
        let lines = try Data(contentsOf: URL(filePath: paths[1])).split(separator: newline[0])
        let replies = try lines.map { try JSONDecoder().decode(WorkerReply.self, from: $0) }
        guard case .hello(WorkerProtocol.version, "a/b/c")? = replies.first else {
            Issue.record("no greeting")
            return []
        }
        return Array(replies.dropFirst())
    }

    private static func reasons(_ replies: [WorkerReply]) -> [String?] {
        replies.map { if case .failed(let reason) = $0 { reason } else { nil } }
    }

    @Test("what comes before the preparation fails, and says what was asked for") func early() throws {
        let replies = try Self.replies(
            to: [
                .calibrate(milliseconds: 1), .warmCaches(milliseconds: 1), .slice(milliseconds: 1),
                .sliceEach(milliseconds: 1), .count(operations: 1), .countEach(operations: 1),
                .open(memory: 1, disk: 1), .limitFiles(bytes: 1), .perform(step: 0), .close, .finish,
            ], of: .batched { _ in })
        let noSteps = "a benchmark has no steps"
        #expect(
            Self.reasons(replies) == [
                "calibrate before prepare", "warm caches before prepare", "slice before prepare",
                "slice before prepare", "count before prepare", "count before prepare", noSteps, noSteps, noSteps,
                noSteps, nil,
            ])
        guard case .finished(let report)? = replies.last else {
            Issue.record("not finished")
            return
        }
        #expect(report.figures.isEmpty && report.wrong == 0)
    }

    @Test("only so many operations are counted as a worker can", arguments: [0, -1, 1 << 30 + 1])
    func counts(operations: Int) throws {
        let replies = try Self.replies(
            to: [.prepare, .count(operations: operations), .countEach(operations: operations)], of: .batched { _ in })
        let bounds = ["1 to 1073741824", "1 to 65536"]
        #expect(
            Self.reasons(replies) == [nil] + bounds.map { "\(operations) operations to count; ask for \($0)" })
    }

    @Test("more single operations than a worker keeps the costs of are not counted")
    func tooManySingleOperations() throws {
        let replies = try Self.replies(to: [.prepare, .countEach(operations: 1 << 16 + 1)], of: .batched { _ in })
        #expect(Self.reasons(replies).last == "65537 operations to count; ask for 1 to 65536")
    }

    @Test("a worker of several threads tells how many") func threads() throws {
        let replies = try Self.replies(to: [.prepare, .finish], of: .threaded(threads: 3) { _, _ in })
        guard case .prepared(let report)? = replies.first else {
            Issue.record("\(replies)")
            return
        }
        #expect(report.kind == .threaded && report.threads == 3)
    }

    @Test("exactly the operations that were asked for are counted, by benchmarks of either kind", arguments: [1, 7])
    func counted(operations: Int) throws {
        for isTimed in [false, true] {
            let done = Locked<[Int]>([])
            let body: PreparedBenchmark.Body =
                isTimed
                ? .timed { count, recorder in
                    done.withLock { $0.append(count) }
                    for _ in 0..<count { recorder.record(.hit, nanoseconds: 5) }
                } : .batched { count in done.withLock { $0.append(count) } }
            let replies = try Self.replies(
                to: [.prepare, .count(operations: operations), .countEach(operations: operations), .finish], of: body)
            guard replies.count == 4, case .prepared(let prepared) = replies[0], case .counted(let work) = replies[1]
            else {
                Issue.record("\(replies)")
                continue
            }
            #expect(prepared.kind == (isTimed ? .timed : .batched))
            #expect(work.outcomes == (isTimed ? [.hit: UInt64(operations)] : [:]))
            #expect(done.withLock { $0 } == [operations] + Array(repeating: 1, count: operations))
        }
    }

    @Test("operations that are timed by the benchmark itself are a slice like any other") func timedEach() throws {
        let replies = try Self.replies(
            to: [.prepare, .sliceEach(milliseconds: 0), .finish],
            of: .timed { count, recorder in for _ in 0..<count { recorder.record(.hit, nanoseconds: 5) } })
        guard replies.count == 3, case .slice(let report) = replies[1] else {
            Issue.record("\(replies)")
            return
        }
        #expect(report.histograms[.hit]?.sum == 5 * UInt64(report.operations) && report.operations > 0)
    }

    @Test("a benchmark that cannot tell its figures fails, and its session ends all the same")
    func failedFigures() throws {
        struct Unknown: Error, CustomStringConvertible { let description = "no figures" }
        let replies = try Self.replies(to: [.prepare, .finish, .prepare], of: .batched { _ in }) { throw Unknown() }
        #expect(Self.reasons(replies) == [nil, "no figures"])
    }

    @Test("what is too slow is told as such, and a body that throws something else as failed") func tooSlow() throws {
        let replies = try Self.replies(to: [.prepare, .finish], of: .batched { _ in }) { throw TooSlow("a minute") }
        guard replies.count == 2, case .tooSlow(let reason) = replies[1] else {
            Issue.record("\(replies)")
            return
        }
        #expect(reason == "a minute")
    }

    @Test("each failure has its own words") func failures() {
        let failures: [WorkerFailure] = [
            .crashed(signal: SIGBUS), .crashed(signal: 63), .exited(code: 3), .timedOut, .notReady(seconds: 9),
            .tooSlow(reason: "a"), .failed(reason: "b"), .misunderstood("c"),
        ]
        #expect(
            failures.map(\.description) == [
                "crashed (SIGBUS)", "crashed (signal 63)", "exited (3)", "timed out", "not ready in 9 s", "too slow: a",
                "failed: b", "failed: its worker said c",
            ])
    }
}
