import Foundation
import GaugeSupport
import Platform

/// The child process that runs a replay. It inherits our input, output and error streams.
package struct ReplayProcess {
    /// How the process ended.
    package enum End {
        case exited(Int32)
        case crashed(signal: Int32)
    }

    private let process: pid_t

    /// Starts `replay-worker` of this executable.
    package init(arguments: [String]) throws {
        guard let executable = ownExecutablePath() else {
            throw GaugeError("the path of this executable is unknown; no replay can be started")
        }
        // Copies, since the child's descriptors 0 to 2 are made from other numbers.
        let streams = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].map { fcntl($0, F_DUPFD_CLOEXEC, 3) }
        defer { for stream in streams where stream >= 0 { close(stream) } }
        var environment = ProcessInfo.processInfo.environment
        // Symbolising a backtrace takes seconds, and is of no use when the replayed cache is not the reader's own.
        if environment["SWIFT_BACKTRACE"] == nil { environment["SWIFT_BACKTRACE"] = "enable=no" }
        let started = spawn(
            executable: executable, name: CommandLine.arguments[0], arguments: ["replay-worker"] + arguments,
            environment: environment.map { "\($0.key)=\($0.value)" },
            descriptors: (streams[0], streams[1], streams[2]))
        do {
            process = try started.get()
        } catch {
            throw GaugeError("a replay cannot be started from \(executable): \(error)")
        }
    }

    /// Waits until the process has ended. It runs in a separate process group, so interruptions are passed on to it.
    package func wait(passingOn interruption: Interruption) -> End {
        var status: Int32 = 0
        var isTold = false
        while true {
            let ended = waitpid(process, &status, isTold ? 0 : WNOHANG)
            if ended == process || (ended < 0 && errno != EINTR) { break }
            if ended < 0 || isTold { continue }
            var interrupted = pollfd(fd: interruption.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&interrupted, 1, 20)
            if interruption.isRequested {
                kill(process, SIGINT)
                isTold = true
            }
        }
        return status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .crashed(signal: status & 0x7F)
    }
}
