import GaugeSupport
import Platform

/// The child process that runs a replay. It inherits our input, output and error streams.
package struct ReplayProcess {
    private let child: ChildProcess

    /// Starts `replay-worker` of this executable.
    package init(arguments: [String]) throws {
        guard let executable = ownExecutablePath() else {
            throw GaugeError("the path of this executable is unknown; no replay can be started")
        }
        do {
            child = try ChildProcess(
                executable, name: CommandLine.arguments[0], arguments: ["replay-worker"] + arguments,
                environment: ChildProcess.environmentWithoutBacktraces,
                input: .inherited, output: .inherited, errors: .inherited)
        } catch {
            throw GaugeError("a replay cannot be started from \(executable): \(error)")
        }
    }

    /// Waits until the process has ended. It runs in a separate process group, so interruptions are passed on to it.
    package func wait(passingOn interruption: Interruption) -> ChildProcess.End {
        while !interruption.isRequested {
            if let end = child.wait(seconds: 0) { return end }
            interruption.wait(20_000_000)
        }
        child.signal(SIGINT)
        return child.wait()
    }
}
