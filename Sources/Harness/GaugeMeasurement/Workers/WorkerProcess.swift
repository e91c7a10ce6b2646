import Foundation
import GaugeSupport
import Platform

/// The run's side of the protocol: one child process that measures one benchmark.
///
/// The child has its own process group, so that Ctrl-C reaches only the run, which then ends its workers. It also exits
/// when its standard input is closed, so no worker survives a killed run.
package final class WorkerProcess {
    private let child: ChildProcess
    private let interruption: Interruption?
    private var lines = LineBuffer()

    /// How many bytes of standard error are kept, from its end.
    private static let errorTailLength = 4_096

    /// - Parameters:
    ///   - executable: path of an executable whose main is `Gauge.main`; this one by default.
    ///   - arguments: the `worker` command and its options.
    ///   - wrapper: path of a program that starts the executable, e.g. valgrind, and its first arguments.
    ///   - environment: `NAME=value` each; this process's own by default.
    ///   - interruption: ends waiting when the run is interrupted.
    package init(
        executable: String? = nil, arguments: [String], wrapper: [String] = [], environment: [String]? = nil,
        interruption: Interruption? = nil
    ) throws {
        guard let path = executable ?? ownExecutablePath() else {
            throw GaugeError("the path of this executable is unknown; no worker can be started")
        }
        self.interruption = interruption
        do {
            child = try ChildProcess(
                wrapper.first ?? path, name: wrapper.first ?? executable ?? CommandLine.arguments[0],
                arguments: wrapper.isEmpty ? arguments : wrapper.dropFirst() + [path] + arguments,
                environment: environment ?? ChildProcess.environmentWithoutBacktraces, input: .pipe,
                keptErrors: Self.errorTailLength)
        } catch {
            throw GaugeError("a worker cannot be started from \(path): \(error)")
        }
    }

    deinit { end() }

    package var lastWords: String { child.errors.text.trimmingCharacters(in: .whitespacesAndNewlines) }

    /// The line of standard error that says why the worker ended, after a colon; empty without one. Of a crash it is
    /// the one before any backtrace.
    package func lastLine(after failure: WorkerFailure) -> String {
        let lines = lastWords.split(separator: "\n").map(String.init)
        var line = lines.last
        if case .crashed = failure {
            // The runtime's announcements: "*** Signal 11: …", "💣 Program crashed: …".
            line =
                lines.first { $0.contains("Fatal error") }
                ?? lines.first { !$0.hasPrefix("***") && !$0.hasPrefix("💣") }
        }
        return line.map { ": \($0)" } ?? ""
    }

    package func greet(within seconds: Double) throws {
        switch try receive(within: seconds) {
        case .hello(WorkerProtocol.version, _): return
        case .hello(let version, _):
            throw WorkerFailure.misunderstood("that it speaks protocol \(version), not \(WorkerProtocol.version)")
        default: throw WorkerFailure.misunderstood("something before its greeting")
        }
    }

    /// Sends a request without waiting for the reply.
    package func send(_ request: WorkerRequest) throws {
        guard child.write(try JSONEncoder().encode(request) + [UInt8(ascii: "\n")]) else { throw failureAtEnd() }
    }

    /// Waits for the next reply. A `failed` reply is thrown.
    package func receive(within seconds: Double) throws -> WorkerReply {
        let deadline = monotonicNanoseconds() + UInt64(max(0, seconds) * 1e9)
        while true {
            if let line = lines.next() { return try decode(line) }
            let now = monotonicNanoseconds()
            guard now < deadline else {
                end()
                throw WorkerFailure.timedOut
            }
            try wait(milliseconds: pollMilliseconds(for: deadline - now))
        }
    }

    /// Ends the worker, if it is still running, and processes that it may have started.
    package func end() {
        child.terminate()
        child.killGroup()
    }

    private func decode(_ line: [UInt8]) throws -> WorkerReply {
        guard let reply = try? JSONDecoder().decode(WorkerReply.self, from: Data(line)) else {
            end()
            throw WorkerFailure.misunderstood("'\(String(decoding: line.prefix(80), as: UTF8.self))'")
        }
        if case .failed(let reason) = reply { throw WorkerFailure.failed(reason: reason) }
        if case .tooSlow(let reason) = reply { throw WorkerFailure.tooSlow(reason: reason) }
        return reply
    }

    private func wait(milliseconds: Int32) throws {
        try child.read(waiting: milliseconds, interruption: interruption) { lines.append($0) }
        if !child.isOutputOpen { throw failureAtEnd() }
        guard lines.pending <= WorkerProtocol.longestLine else {
            end()
            throw WorkerFailure.misunderstood("a line of more than \(WorkerProtocol.longestLine) bytes")
        }
    }

    /// The worker has closed its output: it is exiting or has crashed.
    private func failureAtEnd() -> WorkerFailure {
        let end = child.wait(seconds: 1)
        try? child.read(waiting: 0) { _ in }
        self.end()
        return switch end {
        case .exited(let code): .exited(code: code)
        case .crashed(let signal): .crashed(signal: signal)
        case nil: .timedOut
        }
    }
}

/// The requests, each with its reply. All throw `WorkerFailure`: if the worker reports an error, has exited, doesn't
/// answer within the given seconds, or sends another reply.
extension WorkerProcess {
    /// Waits for the greeting and asks the worker to prepare, without waiting for the reply.
    package func beginPreparing(within seconds: Double) throws {
        try greet(within: seconds)
        try send(.prepare)
    }

    package func finishPreparing(within seconds: Double) throws -> PreparedReply {
        guard case .prepared(let report) = try receive(within: seconds) else { throw Self.strange("prepare") }
        return report
    }

    /// Calibrates the size of a batch, for at most `milliseconds`.
    package func calibrate(milliseconds: Double, within seconds: Double) throws {
        try send(.calibrate(milliseconds: milliseconds))
        guard case .calibrated = try receive(within: seconds) else { throw Self.strange("calibrate") }
    }

    /// Warms the caches for the next slice, for at most `milliseconds`.
    package func warmCaches(milliseconds: Double, within seconds: Double) throws {
        try send(.warmCaches(milliseconds: milliseconds))
        guard case .warm = try receive(within: seconds) else { throw Self.strange("warm the caches") }
    }

    package func slice(milliseconds: Double, within seconds: Double) throws -> SliceReply {
        try send(.slice(milliseconds: milliseconds))
        guard case .slice(let report) = try receive(within: seconds) else { throw Self.strange("run a slice") }
        return report
    }

    /// Runs a slice of operations timed one by one.
    package func sliceEach(milliseconds: Double, within seconds: Double) throws -> SliceReply {
        try send(.sliceEach(milliseconds: milliseconds))
        guard case .slice(let report) = try receive(within: seconds) else { throw Self.strange("time operations") }
        return report
    }

    /// Runs a fixed number of operations, untimed.
    @discardableResult
    package func count(operations: Int, within seconds: Double) throws -> WorkReply {
        try send(.count(operations: operations))
        guard case .counted(let report) = try receive(within: seconds) else { throw Self.strange("count") }
        return report
    }

    /// Runs a sequence of operations, untimed, each in its own measured region.
    package func countEach(operations: Int, within seconds: Double) throws -> SequenceReply {
        try send(.countEach(operations: operations))
        guard case .countedEach(let report) = try receive(within: seconds) else { throw Self.strange("count each") }
        return report
    }

    /// Ends the benchmark; the worker then exits.
    package func finish(within seconds: Double) throws -> FinishReply {
        try send(.finish)
        guard case .finished(let report) = try receive(within: seconds) else { throw Self.strange("finish") }
        return report
    }

    private static func strange(_ request: String) -> WorkerFailure {
        .misunderstood("something else when asked to \(request)")
    }
}

/// How many processors a command may use, which decides what multi-threaded rows there are.
package enum UsableProcessors {
    /// A worker bound to one processor learns from this variable how many the command that started it may use, so that
    /// both have the same rows.
    package static let variable = "CACHEGAUGE_PROCESSORS"

    /// How many processors this process, or the command that started it, may use.
    package static var count: Int {
        if let told = ProcessInfo.processInfo.environment[variable].flatMap({ Int($0) }) { return max(1, told) }
        return max(1, ProcessorBinding.allowed.isEmpty ? processorCount() : ProcessorBinding.allowed.count)
    }
}
