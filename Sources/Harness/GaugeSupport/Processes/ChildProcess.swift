import Foundation
import Platform

/// A program that this process started, in its own process group. Releasing it kills the program.
///
/// Used by one thread at a time.
package final class ChildProcess {
    /// Where one of the program's standard streams comes from or goes to.
    package enum Stream {
        /// `/dev/null`.
        case nothing
        /// This process's own stream.
        case inherited
        /// A pipe whose other end is held here.
        case pipe
    }

    package enum End: Equatable, Sendable {
        case exited(code: Int32)
        case crashed(signal: Int32)

        /// The exit code, or minus the signal's number.
        package var status: Int32 {
            switch self {
            case .exited(let code): code
            case .crashed(let signal): -signal
            }
        }
    }

    /// The process, whose number is also its group's.
    package let identifier: pid_t
    package private(set) var errors: OutputTail
    /// This process's ends of the pipes; -1 without a pipe, or once closed.
    private var ends: (input: Int32, output: Int32, errors: Int32)
    private var end: End?

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - executable: its path; `PATH` isn't searched.
    ///   - name: its `argv[0]`; the path by default.
    ///   - environment: `NAME=value` each; this process's own by default.
    ///   - keptErrors: how many bytes of standard error to keep at least.
    /// - Throws: `SystemError` if a pipe can't be made or the program can't be started.
    package init(
        _ executable: String, name: String? = nil, arguments: [String], environment: [String]? = nil,
        input: Stream = .nothing, output: Stream = .pipe, errors: Stream = .pipe, keptErrors: Int = 1 << 20
    ) throws(SystemError) {
        var own: [Int32] = [-1, -1, -1]
        var given: [Int32] = [-1, -1, -1]
        do throws(SystemError) {
            // Held until the program has started: another program would inherit the pipes and keep them open.
            identifier = try ChildPipe.starting.withLock { () throws(SystemError) in
                for (number, stream) in [input, output, errors].enumerated() {
                    switch stream {
                    case .nothing: given[number] = open("/dev/null", O_RDWR | O_CLOEXEC)
                    // A copy, since descriptors 0 to 2 of the program are made from other numbers.
                    case .inherited: given[number] = fcntl(Int32(number), F_DUPFD_CLOEXEC, 3)
                    case .pipe:
                        let ends = try ChildPipe.open()
                        (given[number], own[number]) = number == 0 ? (ends.read, ends.write) : (ends.write, ends.read)
                    }
                }
                return try spawn(
                    executable: executable, name: name ?? executable, arguments: arguments,
                    environment: environment ?? Self.environment(), descriptors: (given[0], given[1], given[2])
                ).get()
            }
        } catch {
            for index in 0..<3 {
                Self.closeEnd(&own[index])
                Self.closeEnd(&given[index])
            }
            throw error
        }
        for index in 0..<3 { Self.closeEnd(&given[index]) }
        ends = (own[0], own[1], own[2])
        self.errors = OutputTail(length: keptErrors)
    }

    deinit {
        terminate()
        closeInput()
        Self.closeEnd(&ends.output)
        Self.closeEnd(&ends.errors)
    }

    package func signal(_ number: Int32) {
        if end == nil { kill(identifier, number) }
    }

    /// Kills the processes that the program has left in its group.
    package func killGroup() { kill(-identifier, SIGKILL) }

    /// Kills the program and its group, unless it has ended, and waits for its end.
    package func terminate() {
        guard end == nil else { return }
        killGroup()
        signal(SIGKILL)
        wait()
    }

    @discardableResult
    package func wait() -> End {
        closeInput()
        while true {
            if let end = ended(waiting: 0) { return end }
        }
    }

    /// Waits for the program's end, looking every millisecond.
    ///
    /// - Returns: `nil` if it is still running after so many seconds.
    package func wait(seconds: Double) -> End? {
        let deadline = monotonicNanoseconds() + UInt64(seconds * 1e9)
        while true {
            if let end = ended(waiting: WNOHANG) { return end }
            guard monotonicNanoseconds() < deadline else { return nil }
            usleep(1_000)
        }
    }

    private func ended(waiting options: Int32) -> End? {
        if let end { return end }
        var status: Int32 = 0
        let found = waitpid(identifier, &status, options)
        guard found == identifier || (found < 0 && errno != EINTR) else { return nil }
        end = status & 0x7F == 0 ? .exited(code: status >> 8 & 0xFF) : .crashed(signal: status & 0x7F)
        return end
    }
}

extension ChildProcess {
    /// This process's environment as `NAME=value` each, with some variables changed.
    package static func environment(changed: [String: String] = [:]) -> [String] {
        ProcessInfo.processInfo.environment.merging(changed) { $1 }.map { "\($0.key)=\($0.value)" }
    }

    /// The same without Swift's backtraces, unless asked for: symbolising takes seconds, during which a crashed program
    /// would seem to hang.
    package static var environmentWithoutBacktraces: [String] {
        let asked = ProcessInfo.processInfo.environment["SWIFT_BACKTRACE"]
        return environment(changed: ["SWIFT_BACKTRACE": asked ?? "enable=no"])
    }
}

// The program's streams. The pointers are to buffers on the stack, lent for one call.
extension ChildProcess {
    /// Whether the program may still write to its standard output.
    package var isOutputOpen: Bool { ends.output >= 0 }

    /// Whether it may still write to its standard output or error.
    package var isReadable: Bool { ends.output >= 0 || ends.errors >= 0 }

    /// Writes to the program's standard input. Waits while the pipe is full.
    ///
    /// - Returns: whether all was written; `false` if the program doesn't read anymore.
    package func write(_ bytes: some Sequence<UInt8>) -> Bool { (try? writeAll(bytes, to: ends.input)) != nil }

    /// Closes the program's standard input, so that it reads the end of the stream.
    package func closeInput() { Self.closeEnd(&ends.input) }

    /// Waits until the program writes or closes a stream, and reads at most 64 KiB of each. Standard error is kept in
    /// `errors`.
    ///
    /// - Parameters:
    ///   - milliseconds: the longest wait; -1 for no limit.
    ///   - take: receives a part of standard output.
    /// - Throws: `Interrupted` if requested.
    package func read(
        waiting milliseconds: Int32, interruption: Interruption? = nil, _ take: (UnsafeRawBufferPointer) -> Void
    ) throws(Interrupted) {
        // `poll` ignores negative descriptors.
        var descriptors = [ends.output, ends.errors, interruption?.descriptor ?? -1].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        guard poll(&descriptors, nfds_t(descriptors.count), milliseconds) > 0 else { return }
        if interruption?.isRequested == true { throw Interrupted() }
        if descriptors[1].revents != 0, !Self.take(from: ends.errors, { errors.append($0) }) {
            Self.closeEnd(&ends.errors)
        }
        if descriptors[0].revents != 0, !Self.take(from: ends.output, take) { Self.closeEnd(&ends.output) }
    }

    /// Reads once; `false` at the end of the stream.
    private static func take(from descriptor: Int32, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer in
            let count = Platform.read(descriptor, buffer.baseAddress, buffer.count)
            if count > 0 { body(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
            return count > 0 || (count < 0 && errno == EINTR)
        }
    }

    private static func closeEnd(_ descriptor: inout Int32) {
        if descriptor >= 0 { _ = close(descriptor) }
        descriptor = -1
    }
}
