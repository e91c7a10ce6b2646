import Foundation
import Platform

/// An installed program that may run for minutes: git, the compiler.
package struct Tool {
    private let name: String
    private let path: String

    /// The time-out, seconds, for an interrupted program to end its child processes.
    private static let timeOut = 10.0

    /// The result of a run.
    package struct Outcome {
        /// The exit code, or minus the number of the signal that ended the program.
        package let status: Int32
        package let output: String
        package let errors: String
    }

    /// - Parameter purpose: the program's use, for the error: `revisions are checked out`.
    /// - Throws: `GaugeError` if the program isn't installed.
    package init(_ name: String, purpose: String, in path: String? = ProcessInfo.processInfo.environment["PATH"]) throws
    {
        guard let found = Programs.find(name, in: path) else {
            throw GaugeError("\(purpose) by \(name), which is not in PATH; install it, or add its directory to PATH")
        }
        self.name = name
        self.path = found
    }

    package init(path: String) {
        name = path
        self.path = path
    }

    /// Runs the program to its end, with empty input.
    ///
    /// - Parameters:
    ///   - variables: environment variables to set.
    ///   - length: at least so many bytes at the end of the output are kept.
    ///   - seconds: the time-out; `nil` for none.
    /// - Throws: `Interrupted`, after the program and its children have ended; `GaugeError` if it can't be started or
    ///   exceeds the time-out.
    package func run(
        _ arguments: [String], variables: [String: String] = [:], keeping length: Int = 1 << 20,
        within seconds: Double? = nil, interruption: Interruption? = nil
    ) throws -> Outcome {
        let child: ChildProcess
        do {
            child = try ChildProcess(path, name: name, arguments: arguments, environment: Self.environment(variables))
        } catch {
            throw GaugeError("\(path) cannot be started: \(error)")
        }
        let deadline = seconds.map { monotonicNanoseconds() + UInt64($0 * 1e9) }
        var output = OutputTail(length: length)
        while child.isReadable {
            var wait: Int32 = -1
            if let deadline {
                let now = monotonicNanoseconds()
                guard now < deadline else { throw GaugeError("\(path) took longer than \(seconds ?? 0) s") }
                wait = pollMilliseconds(for: deadline - now)
            }
            do {
                try child.read(waiting: wait, interruption: interruption) { output.append($0) }
            } catch {
                Self.end(child)
                throw error
            }
        }
        return Outcome(status: child.wait().status, output: output.text, errors: child.errors.text)
    }

    /// Runs a short program found in `PATH`.
    ///
    /// - Returns: its standard output; `nil` if it is missing, fails, or takes longer than `seconds`.
    package static func output(of program: String, _ arguments: [String], within seconds: Double) -> String? {
        guard let tool = try? Tool(program, purpose: "\(program) is run"),
            let outcome = try? tool.run(arguments, within: seconds), outcome.status == 0
        else { return nil }
        return outcome.output
    }

    /// The caller's environment without the variables set by a git hook, which would override every `-C`.
    static func environment(
        _ variables: [String: String], of own: [String: String] = ProcessInfo.processInfo.environment
    ) -> [String] {
        own.filter { !["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"].contains($0.key) }
            .merging(variables) { $1 }.map { "\($0.key)=\($0.value)" } + ["GIT_TERMINAL_PROMPT=0"]
    }

    /// A build starts compilers in their own process groups, which only the build can end. So it is interrupted first,
    /// and killed if it doesn't end in time.
    private static func end(_ child: ChildProcess) {
        child.signal(SIGINT)
        if child.wait(seconds: timeOut) == nil { child.terminate() }
        child.killGroup()
    }
}
