import Foundation
import Platform

/// The output of a short system command.
package enum CommandOutput {
    /// The most bytes that are read.
    private static let most = 1 << 20

    /// Runs a program found in `PATH`, with empty input.
    ///
    /// - Returns: its standard output; `nil` when the program is missing, fails, or takes longer than `seconds`.
    package static func of(_ program: String, _ arguments: [String], within seconds: Double) -> String? {
        let environment = ProcessInfo.processInfo.environment
        guard let path = Programs.find(program, in: environment["PATH"]), let output = try? ChildPipe() else {
            return nil
        }
        defer { close(output.readEnd) }
        let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { if nothing >= 0 { close(nothing) } }
        let started = spawn(
            executable: path, name: program, arguments: arguments,
            environment: environment.map { "\($0.key)=\($0.value)" }, descriptors: (nothing, output.writeEnd, nothing))
        close(output.writeEnd)
        guard nothing >= 0, case .success(let process) = started else { return nil }

        let deadline = monotonicNanoseconds() + UInt64(seconds * 1e9)
        var bytes: [UInt8] = []
        var isWhole = false
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while bytes.count < most {
            let now = monotonicNanoseconds()
            var readable = pollfd(fd: output.readEnd, events: Int16(POLLIN), revents: 0)
            guard now < deadline, poll(&readable, 1, Int32((deadline - now) / 1_000_000 + 1)) >= 0 else { break }
            guard readable.revents != 0 else { continue }
            let count = read(output.readEnd, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            isWhole = count == 0
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        if !isWhole { kill(-process, SIGKILL) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1 && errno == EINTR {}
        return isWhole && status == 0 ? String(decoding: bytes, as: UTF8.self) : nil
    }
}
