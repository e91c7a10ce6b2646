import Foundation

/// A child process that has ended when it has: Foundation's `Process` also waits for every descendant that a killed
/// test leaves behind.
final class Child {
    private let process: pid_t
    private var status: Int32?

    /// Starts `command` with empty input and its output in the file `log`.
    init(_ command: [String], log: String, environment: [String: String]) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }.map { "\($0.key)=\($0.value)" }
        var process = pid_t()
        let code = Self.withPointers(command) { arguments in
            Self.withPointers(variables) { posix_spawn(&process, command[0], &actions, nil, arguments, $0) }
        }
        guard code == 0 else { throw Failure("\(command[0]) cannot be started: \(String(cString: strerror(code)))") }
        self.process = process
    }

    var isRunning: Bool {
        collect(WNOHANG)
        return status == nil
    }

    func terminate() { if status == nil { kill(process, SIGTERM) } }

    /// Waits for the end.
    ///
    /// - Returns: the exit code, or the number of the signal that ended it.
    func wait() -> Int32 {
        collect(0)
        let status = status ?? 0
        return status & 0x7F == 0 ? status >> 8 & 0xFF : status & 0x7F
    }

    private func collect(_ options: Int32) {
        guard status == nil else { return }
        var status: Int32 = 0
        var ended = waitpid(process, &status, options)
        while ended < 0, errno == EINTR { ended = waitpid(process, &status, options) }
        if ended == process { self.status = status }
    }

    /// Calls `use` with the strings as in C, ended by a null pointer.
    private static func withPointers<Value>(
        _ strings: [String], _ use: ([UnsafeMutablePointer<CChar>?]) -> Value
    ) -> Value {
        let pointers = strings.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        return use(pointers + [nil])
    }
}

/// The lines that several programs print, as they come.
final class Lines {
    private let processes: [Process]
    private let pipe = Pipe()
    private var buffer = Data()

    /// Starts the programs; their errors go where this program's go.
    init(_ commands: [[String]]) throws {
        processes = try commands.map { [pipe] command in
            let process = Process()
            process.executableURL = URL(filePath: command[0])
            process.arguments = Array(command.dropFirst())
            // The handle, since Process closes a pipe that it gets.
            process.standardOutput = pipe.fileHandleForWriting
            process.standardInput = FileHandle.nullDevice
            try process.run()
            return process
        }
        // Otherwise reading wouldn't end with the programs.
        try pipe.fileHandleForWriting.close()
    }

    /// The next line; `nil` if all programs have ended.
    ///
    /// - Throws: ``Failure`` if one of them failed.
    func next() throws -> String? {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                defer { buffer = Data(buffer[(end + 1)...]) }
                return String(decoding: buffer[..<end], as: UTF8.self)
            }
            let more = pipe.fileHandleForReading.availableData
            guard !more.isEmpty else { break }
            buffer += more
        }
        for process in processes {
            process.waitUntilExit()
            guard process.terminationStatus == 0 else { throw Failure("a process that tried mutants failed") }
        }
        return nil
    }
}
