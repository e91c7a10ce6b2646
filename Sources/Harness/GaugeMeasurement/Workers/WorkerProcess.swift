import Foundation
import GaugeSupport
import Platform

/// The run's side of the protocol: one child process that measures one benchmark.
///
/// The child has its own process group, so that Ctrl-C reaches only the run, which then ends its workers. It also exits
/// when its standard input is closed, so that no worker survives a killed run.
package final class WorkerProcess {
    private let process: pid_t
    private var requests: Int32
    private let replies: Int32
    private var errors: Int32
    private let interruption: Interruption?
    private var lines = LineBuffer()
    private var errorTail: [UInt8] = []
    private var exitStatus: Int32?

    /// The length of standard error that is kept, from its end, bytes.
    private static let errorTailLength = 4_096

    /// Starts a worker.
    ///
    /// - Parameters:
    ///   - executable: the path of an executable whose main is `Gauge.main`; this one by default.
    ///   - arguments: the `worker` command and its options.
    ///   - wrapper: the path of a program that starts the executable, such as valgrind, and its first arguments.
    ///   - environment: `NAME=value` each; this process's own by default.
    ///   - interruption: ends waiting when the run is interrupted.
    package init(
        executable: String? = nil, arguments: [String], wrapper: [String] = [], environment: [String]? = nil,
        interruption: Interruption? = nil
    ) throws {
        guard let path = executable ?? ownExecutablePath() else {
            throw GaugeError("the path of this executable is unknown; no worker can be started")
        }
        let requests = try ChildPipe()
        let replies = try ChildPipe()
        let errors = try ChildPipe()
        let started = ChildPipe.starting.withLock {
            spawn(
                executable: wrapper.first ?? path, name: wrapper.first ?? executable ?? CommandLine.arguments[0],
                arguments: wrapper.isEmpty ? arguments : wrapper.dropFirst() + [path] + arguments,
                environment: environment ?? Self.ownEnvironment,
                descriptors: (requests.readEnd, replies.writeEnd, errors.writeEnd))
        }
        for descriptor in [requests.readEnd, replies.writeEnd, errors.writeEnd] { close(descriptor) }
        self.requests = requests.writeEnd
        self.replies = replies.readEnd
        self.errors = errors.readEnd
        self.interruption = interruption
        do {
            process = try started.get()
        } catch {
            for descriptor in [requests.writeEnd, replies.readEnd, errors.readEnd] { close(descriptor) }
            throw GaugeError("a worker cannot be started from \(path): \(error)")
        }
    }

    /// The default environment of a worker: this process's own, without backtraces.
    package static var ownEnvironment: [String] {
        var environment = ProcessInfo.processInfo.environment
        // Symbolising a backtrace takes seconds, during which a crashed peer would seem to hang.
        if environment["SWIFT_BACKTRACE"] == nil { environment["SWIFT_BACKTRACE"] = "enable=no" }
        return environment.map { "\($0.key)=\($0.value)" }
    }

    deinit {
        end()
        close(replies)
        if errors >= 0 { close(errors) }
    }

    /// The end of the worker's standard error.
    package var lastWords: String {
        String(decoding: errorTail, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Waits for the greeting.
    package func greet(within seconds: Double) throws {
        switch try receive(within: seconds) {
        case .hello(WorkerProtocol.version, _): return
        case .hello(let version, _):
            throw WorkerFailure.misunderstood("that it speaks protocol \(version), not \(WorkerProtocol.version)")
        case .failed(let reason): throw WorkerFailure.failed(reason: reason)
        default: throw WorkerFailure.misunderstood("something before its greeting")
        }
    }

    /// Sends a request without waiting for the reply.
    package func send(_ request: WorkerRequest) throws {
        var rest = try JSONEncoder().encode(request)[...]
        rest.append(UInt8(ascii: "\n"))
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { write(requests, $0.baseAddress, $0.count) }
            if written > 0 {
                rest = rest.dropFirst(written)
            } else if errno != EINTR {
                throw failureAtEnd()
            }
        }
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
            try wait(milliseconds: Int32(min((deadline - now) / 1_000_000 + 1, 1_000_000)))
        }
    }

    /// Ends the worker if it has not exited, and waits for it.
    package func end() {
        guard exitStatus == nil else { return }
        kill(-process, SIGKILL)
        kill(process, SIGKILL)
        reap()
    }

    private func reap() {
        if requests >= 0 { close(requests) }
        requests = -1
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1 && errno == EINTR {}
        exitStatus = status
        // Processes that the worker may have started.
        kill(-process, SIGKILL)
    }

    private func decode(_ line: [UInt8]) throws -> WorkerReply {
        guard let reply = try? JSONDecoder().decode(WorkerReply.self, from: Data(line)) else {
            end()
            throw WorkerFailure.misunderstood("'\(String(decoding: line.prefix(80), as: UTF8.self))'")
        }
        if case .failed(let reason) = reply { throw WorkerFailure.failed(reason: reason) }
        return reply
    }

    /// Waits until the worker has written output, and reads it.
    private func wait(milliseconds: Int32) throws {
        var descriptors = [
            pollfd(fd: replies, events: Int16(POLLIN), revents: 0),
            pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
            pollfd(fd: interruption?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&descriptors, nfds_t(descriptors.count), milliseconds) > 0 else { return }
        if interruption?.isRequested == true { throw Interrupted() }
        if descriptors[1].revents != 0 { takeErrors() }
        guard descriptors[0].revents != 0 else { return }
        let ended = !take(from: replies) { lines.append($0) }
        if ended { throw failureAtEnd() }
        guard lines.pending <= WorkerProtocol.longestLine else {
            end()
            throw WorkerFailure.misunderstood("a line of more than \(WorkerProtocol.longestLine) bytes")
        }
    }

    private func takeErrors() {
        let goesOn = take(from: errors) {
            errorTail.append(contentsOf: $0)
            errorTail.removeFirst(max(0, errorTail.count - Self.errorTailLength))
        }
        guard !goesOn else { return }
        // A closed pipe would end every wait at once; poll ignores a negative descriptor.
        close(errors)
        errors = -1
    }

    /// Reads once; `false` at the end of the stream.
    private func take(from descriptor: Int32, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer in
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            if count > 0 { body(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
            return count > 0 || (count < 0 && errno == EINTR)
        }
    }

    /// The worker has closed its output: it is exiting or has crashed.
    private func failureAtEnd() -> WorkerFailure {
        var status: Int32 = 0
        var waited: pid_t = 0
        for _ in 0..<500 where waited == 0 {
            waited = waitpid(process, &status, WNOHANG)
            if waited == 0 { usleep(1_000) }
        }
        var words = pollfd(fd: errors, events: Int16(POLLIN), revents: 0)
        if poll(&words, 1, 0) > 0 { takeErrors() }
        guard waited == process else {
            end()
            return .timedOut
        }
        exitStatus = status
        kill(-process, SIGKILL)
        if requests >= 0 { close(requests) }
        requests = -1
        return status & 0x7F == 0 ? .exited(code: status >> 8 & 0xFF) : .crashed(signal: status & 0x7F)
    }
}
