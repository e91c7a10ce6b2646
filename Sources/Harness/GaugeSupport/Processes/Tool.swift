import Foundation
import Platform

/// An installed program that may run for minutes: git, the compiler.
package struct Tool {
    private let name: String
    private let path: String

    /// The number of bytes kept of each output stream: its end, where a program reports why it fails.
    private static let tailLength = 1 << 20
    /// The time-out, seconds, within which an interrupted program has to end its child processes.
    private static let timeOut = 10.0

    /// The result of a run.
    package struct Outcome {
        /// The exit code; if a signal ended the program, minus its number.
        package let status: Int32
        package let output: String
        package let errors: String
    }

    /// - Parameter purpose: the use of the program, for the error message: `revisions are checked out`.
    /// - Throws: `GaugeError` if the program is not installed.
    package init(_ name: String, purpose: String, in path: String? = ProcessInfo.processInfo.environment["PATH"]) throws
    {
        guard let found = Programs.find(name, in: path) else {
            throw GaugeError("\(purpose) by \(name), which is not in PATH; install it, or add its directory to PATH")
        }
        self.name = name
        self.path = found
    }

    /// Creates a tool from the path of an executable.
    package init(path: String) {
        name = path
        self.path = path
    }

    /// Runs the program to its end, with empty input.
    ///
    /// - Throws: `Interrupted`, after the program and its children have ended; `GaugeError` when it cannot be started.
    package func run(_ arguments: [String], interruption: Interruption? = nil) throws -> Outcome {
        let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard nothing >= 0 else { throw GaugeError("/dev/null cannot be opened: \(SystemError.last)") }
        defer { close(nothing) }
        let pipes = [try ChildPipe(), try ChildPipe()]
        let started = ChildPipe.starting.withLock {
            spawn(
                executable: path, name: name, arguments: arguments, environment: Self.environment,
                descriptors: (nothing, pipes[0].writeEnd, pipes[1].writeEnd))
        }
        for pipe in pipes { close(pipe.writeEnd) }
        defer { for pipe in pipes { close(pipe.readEnd) } }
        let process: pid_t
        do {
            process = try started.get()
        } catch {
            throw GaugeError("\(path) cannot be started: \(error)")
        }
        var streams = pipes.map { Stream(descriptor: $0.readEnd) }
        do {
            try Self.collect(&streams, interruption)
        } catch {
            Self.end(process)
            throw error
        }
        let status = Self.wait(process)
        return Outcome(status: status, output: streams[0].text, errors: streams[1].text)
    }

    /// The caller's environment without the variables that a git hook sets: they would override every `-C`.
    private static var environment: [String] {
        ProcessInfo.processInfo.environment.filter {
            !["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"].contains($0.key)
        }.map { "\($0.key)=\($0.value)" } + ["GIT_TERMINAL_PROMPT=0"]
    }

    private struct Stream {
        let descriptor: Int32
        var isOpen = true
        var tail: [UInt8] = []

        init(descriptor: Int32) { self.descriptor = descriptor }

        var text: String { String(decoding: tail, as: UTF8.self) }
    }

    private static func collect(_ streams: inout [Stream], _ interruption: Interruption?) throws {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while streams.contains(where: \.isOpen) {
            if interruption?.isRequested == true { throw Interrupted() }
            var descriptors = streams.map {
                pollfd(fd: $0.isOpen ? $0.descriptor : -1, events: Int16(POLLIN), revents: 0)
            }
            descriptors.append(pollfd(fd: interruption?.descriptor ?? -1, events: Int16(POLLIN), revents: 0))
            guard poll(&descriptors, nfds_t(descriptors.count), -1) > 0 else { continue }
            for index in streams.indices where descriptors[index].revents != 0 {
                let count = read(streams[index].descriptor, &chunk, chunk.count)
                if count > 0 {
                    streams[index].tail += chunk[..<count]
                    // Cut only at twice the length, so that a long log is not moved with every line.
                    if streams[index].tail.count > 2 * tailLength {
                        streams[index].tail.removeFirst(streams[index].tail.count - tailLength)
                    }
                } else if count == 0 || errno != EINTR {
                    streams[index].isOpen = false
                }
            }
        }
    }

    /// A build starts compilers in separate process groups, which only the build can end. So it is interrupted first,
    /// and killed if it does not end within the time-out.
    private static func end(_ process: pid_t) {
        kill(process, SIGINT)
        let deadline = monotonicNanoseconds() + UInt64(timeOut * 1e9)
        var status: Int32 = 0
        while waitpid(process, &status, WNOHANG) == 0 {
            if monotonicNanoseconds() > deadline {
                kill(-process, SIGKILL)
                kill(process, SIGKILL)
                _ = wait(process)
                return
            }
            usleep(10_000)
        }
        kill(-process, SIGKILL)
    }

    private static func wait(_ process: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1 && errno == EINTR {}
        return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
    }
}
