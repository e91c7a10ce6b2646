import Foundation

/// The resources that a command may use. A mutant may loop forever or fill the memory.
struct Limits {
    /// Processor time, which doesn't depend on the machine's load.
    var processorSeconds: Int?
    /// Elapsed time, for commands that hang without using the processor.
    var seconds: Int?
    var memory: Int?
}

/// Runs other programs at the lowest priority.
enum Command {
    struct Result {
        let status: Int32
        /// Whether this tool ended the command because its output contained the expected text.
        let wasStopped: Bool
        let processorSeconds: Double
        let seconds: Double
        let log: String

        /// Whether `timeout` ended the command. It exits with 124, unless it had to kill the command.
        var isLate: Bool { status == 124 || status == 128 + SIGKILL || status == SIGKILL }

        func output() throws -> String { String(decoding: try Data(contentsOf: URL(filePath: log)), as: UTF8.self) }
    }

    /// Runs `command` with its output in the file `log`.
    ///
    /// - Parameters:
    ///   - environment: variables to set in addition to this process's.
    ///   - text: ends the command as soon as its output contains this text.
    static func run(
        _ command: [String], log: String, in directory: String? = nil, environment: [String: String] = [:],
        limits: Limits, stopAt text: String? = nil
    ) throws -> Result {
        let start = ContinuousClock.now
        let used = processorSecondsOfChildren
        let child = try Child(
            ["/bin/bash", "-c", script(limits), "bash", directory ?? "."] + command, log: log, environment: environment)
        let wasStopped = try text.map { try stop(child, at: Data($0.utf8), log: log) } ?? false
        let status = child.wait()
        let elapsed = start.duration(to: .now)
        return Result(
            status: status, wasStopped: wasStopped, processorSeconds: processorSecondsOfChildren - used,
            seconds: elapsed / .seconds(1), log: log)
    }

    /// The output of `command`.
    static func output(_ command: [String]) throws -> String {
        let log = FileManager.default.temporaryDirectory.appending(path: "mutants-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: log) }
        let result = try run(command, log: log, limits: Limits())
        guard result.status == 0 else { throw Failure("\(command.joined(separator: " ")): \(try result.output())") }
        return try result.output()
    }

    /// A shell script that goes to the directory and sets the limits. `timeout` puts the command and its children into
    /// one group and ends them all.
    private static func script(_ limits: Limits) -> String {
        var script = "cd \"$1\"; shift; ulimit -c 0; "
        if let seconds = limits.processorSeconds { script += "ulimit -S -t \(seconds); " }
        if let memory = limits.memory { script += "ulimit -v \(memory >> 10); " }
        return script + "exec nice -n 19 timeout -k 5 \(limits.seconds ?? 0) \"$@\""
    }

    /// Waits for `child`, or ends it once it has written `text`.
    private static func stop(_ child: Child, at text: Data, log: String) throws -> Bool {
        let written = try FileHandle(forReadingFrom: URL(filePath: log))
        defer { try? written.close() }
        var recent = Data()
        while child.isRunning {
            Thread.sleep(forTimeInterval: 0.02)
            recent += try written.readToEnd() ?? Data()
            if recent.range(of: text) != nil {
                child.terminate()
                return true
            }
            // The text may be split between two reads.
            recent = Data(recent.suffix(text.count))
        }
        return false
    }

    private static var processorSecondsOfChildren: Double {
        var usage = rusage()
        #if canImport(Glibc)
        getrusage(CInt(truncatingIfNeeded: RUSAGE_CHILDREN.rawValue), &usage)
        #else
        getrusage(RUSAGE_CHILDREN, &usage)
        #endif
        let times = [usage.ru_utime, usage.ru_stime]
        return times.reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }
}

/// Why the tool can't go on.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
