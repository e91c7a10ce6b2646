// Invariant of the pointers: `chunk` is freed when `serve` returns, and lent to `read` and `LineBuffer` for one call
// each; only the bytes read into it are lent on.

import Foundation
import GaugeSupport
import Platform

/// The worker's side of the protocol: answers requests until its input ends.
package struct WorkerSession: ~Copyable {
    package let benchmark: Benchmark
    package let context: RunContext
    package let allocations: (@Sendable () -> AllocationTotals)?
    package let extraWork: Double
    package let input: Int32
    package let output: Int32
    private var prepared: PreparedBenchmark?
    private var runner: SliceRunner?

    package init(
        _ benchmark: Benchmark, context: RunContext, allocations: (@Sendable () -> AllocationTotals)?,
        extraWork: Double = 0, input: Int32, output: Int32
    ) {
        (self.benchmark, self.context, self.allocations) = (benchmark, context, allocations)
        (self.extraWork, self.input, self.output) = (extraWork, input, output)
    }

    /// Serves requests until `finish`, or until the run closes the connection.
    package mutating func serve() throws {
        try send(.hello(protocol: WorkerProtocol.version, benchmark: benchmark.name.description))
        let input = input
        try WorkerRequests.forEach(from: input) { request in
            let reply: WorkerReply
            do {
                reply = try answer(request)
            } catch let slow as TooSlow {
                reply = .tooSlow(reason: slow.description)
            } catch {
                reply = .failed(reason: "\(error)")
            }
            try send(reply)
            if case .finish = request { return false }
            return true
        }
    }

    private mutating func answer(_ request: WorkerRequest) throws -> WorkerReply {
        switch request {
        case .prepare:
            let start = monotonicNanoseconds()
            let prepared = ExtraWork.added(extraWork, to: try benchmark.prepare(context))
            self.prepared = prepared
            runner = SliceRunner(prepared, allocations: allocations)
            var report = Self.describe(prepared)
            report.nanoseconds = monotonicNanoseconds() - start
            return .prepared(report)
        case .calibrate(let milliseconds):
            guard runner != nil else { return Self.unprepared("calibrate") }
            runner?.calibrate(budget: Self.nanoseconds(milliseconds))
            return .calibrated
        case .warmCaches(let milliseconds):
            guard runner != nil else { return Self.unprepared("warm caches") }
            runner?.warmCaches(budget: Self.nanoseconds(milliseconds))
            return .warm
        case .slice(let milliseconds): return slice(runner?.run(budget: Self.nanoseconds(milliseconds)))
        case .sliceEach(let milliseconds): return slice(runner?.runEach(budget: Self.nanoseconds(milliseconds)))
        case .count(let operations):
            if let refusal = Self.refusal(operations, atMost: Self.mostCounted) { return refusal }
            return (runner?.count(operations: operations)).map(WorkerReply.counted) ?? Self.unprepared("count")
        case .countEach(let operations):
            if let refusal = Self.refusal(operations, atMost: Self.mostCountedEach) { return refusal }
            return (runner?.countEach(operations: operations)).map(WorkerReply.countedEach) ?? Self.unprepared("count")
        case .finish:
            let figures = try prepared?.figures() ?? []
            try prepared?.finish()
            return .finished(
                FinishReply(figures: figures, wrong: context.answers.count, wrongAnswers: context.answers.first))
        case .open, .limitFiles, .perform, .close: return .failed(reason: "a benchmark has no steps")
        }
    }

    private func slice(_ report: SliceReply?) -> WorkerReply {
        guard var report else { return Self.unprepared("slice") }
        report.wrong = context.answers.count
        report.wrongAnswers = context.answers.first
        return .slice(report)
    }

    private static func unprepared(_ request: String) -> WorkerReply { .failed(reason: "\(request) before prepare") }

    private static func refusal(_ operations: Int, atMost most: Int) -> WorkerReply? {
        guard !(1...most).contains(operations) else { return nil }
        return .failed(reason: "\(operations) operations to count; ask for 1 to \(most)")
    }

    /// The most operations to count. Without a bound, a request could keep callgrind busy for hours.
    private static let mostCounted = 1 << 30
    /// The most operations to count one by one. Each is a dump under callgrind.
    private static let mostCountedEach = 1 << 16

    private static func describe(_ prepared: PreparedBenchmark) -> PreparedReply {
        switch prepared.body {
        case .batched: PreparedReply(kind: .batched, threads: 1, outcome: prepared.outcome)
        case .timed: PreparedReply(kind: .timed, threads: 1, outcome: prepared.outcome)
        case .threaded(let threads, _): PreparedReply(kind: .threaded, threads: threads, outcome: prepared.outcome)
        }
    }

    /// Limits a requested duration to an hour.
    private static func nanoseconds(_ milliseconds: Double) -> UInt64 {
        UInt64(min(max(milliseconds.isFinite ? milliseconds : 0, 0), 3_600_000) * 1_000_000)
    }

    private func send(_ reply: WorkerReply) throws { try WorkerChannel(output).send(reply) }
}

/// Writes a worker's replies, one JSON line each.
package struct WorkerChannel {
    private let output: Int32

    package init(_ output: Int32) { self.output = output }

    package func send(_ reply: WorkerReply) throws {
        try writeAll(try JSONEncoder().encode(reply) + [UInt8(ascii: "\n")], to: output)
    }
}

package enum WorkerRequests {
    /// Calls a closure with each request until the input ends or the closure returns false.
    ///
    /// - Throws: an error of reading or decoding, or of the closure.
    package static func forEach(from input: Int32, _ serve: (WorkerRequest) throws -> Bool) throws {
        var lines = LineBuffer()
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 4_096, alignment: 1)
        defer { chunk.deallocate() }
        while true {
            while let line = lines.next() {
                guard try serve(try JSONDecoder().decode(WorkerRequest.self, from: Data(line))) else { return }
            }
            let count = read(input, chunk.baseAddress, chunk.count)
            if count == 0 { return }
            if count < 0 && errno == EINTR { continue }
            guard count > 0, lines.pending < WorkerProtocol.longestLine else { throw SystemError.last }
            lines.append(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
        }
    }
}
