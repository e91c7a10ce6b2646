import Foundation
import Platform

/// Replays to a peer in a child process, since a peer may crash: the child does all of it, its output is ours.
struct ReplayProcess {
    let options: ReplayOptions
    let directory: String
    let interruption: Interruption

    init(_ options: ReplayOptions, directory: String, interruption: Interruption) {
        self.options = options
        self.directory = directory
        self.interruption = interruption
    }

    func run(_ console: Console) throws -> ExitCode {
        guard let executable = ownExecutablePath() else {
            throw GaugeError("the path of this executable is unknown; no peer can be replayed to")
        }
        // Copies, since the child's descriptors 0 to 2 are made from others.
        let streams = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].map { fcntl($0, F_DUPFD_CLOEXEC, 3) }
        defer { for stream in streams where stream >= 0 { close(stream) } }
        var environment = ProcessInfo.processInfo.environment
        if environment["SWIFT_BACKTRACE"] == nil { environment["SWIFT_BACKTRACE"] = "enable=no" }
        let process = try spawn(
            executable: executable, name: CommandLine.arguments[0],
            arguments: ["replay-peer"] + options.arguments(directory: directory),
            environment: environment.map { "\($0.key)=\($0.value)" },
            descriptors: (streams[0], streams[1], streams[2])
        ).get()
        let status = wait(for: process)
        guard status & 0x7F == 0 else {
            console.note("\(options.subject ?? "") \(WorkerFailure.crashed(signal: status & 0x7F)) during the replay\n")
            return interruption.isRequested ? .interrupted : .failure
        }
        return ExitCode(rawValue: status >> 8 & 0xFF) ?? .failure
    }

    /// Waits until the child has ended. It is in a process group of its own, so an interruption is passed on to it.
    private func wait(for process: pid_t) -> Int32 {
        var status: Int32 = 0
        var isTold = false
        while true {
            let ended = waitpid(process, &status, isTold ? 0 : WNOHANG)
            if ended == process || (ended < 0 && errno != EINTR) { return status }
            var interrupted = pollfd(fd: interruption.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&interrupted, 1, 20)
            if interruption.isRequested, !isTold {
                kill(process, SIGINT)
                isTold = true
            }
        }
    }
}
