import Foundation
import GaugeSupport
import Platform

/// Counts the instructions of benchmarks, each in its own worker under callgrind. Takes some seconds for each
/// benchmark, since code runs about fifty times as slowly there.
///
/// Works on any executable that speaks the worker protocol, so that two builds can be compared.
package struct InstructionCounter {
    private let valgrind: Valgrind
    private let copy: String
    private let libraries: String
    private let directory: TemporaryDirectory
    private let interruption: Interruption?
    private let isUnhurried: Bool

    /// The first run counts this many operations and the second twice as many: enough to include infrequent work, and
    /// few enough for operations of some microseconds.
    package static let operations = 1_000
    /// The longest operation that is counted, nanoseconds. A longer one would take callgrind a minute.
    package static let longest = 50_000.0

    /// - Parameters:
    ///   - executable: the executable whose benchmarks are counted; this one when `nil`.
    ///   - directory: the place for the copy of the executable and the profiles.
    ///   - isUnhurried: see `FixedSurroundings.isUnhurried`.
    /// - Throws: `GaugeError` when valgrind is not installed or the executable cannot be read.
    package init(
        executable: String? = nil, directory: TemporaryDirectory, interruption: Interruption? = nil,
        isUnhurried: Bool = false
    ) throws {
        valgrind = try Valgrind()
        guard let path = executable ?? ownExecutablePath(), let bytes = FileManager.default.contents(atPath: path)
        else {
            throw GaugeError("\(executable ?? "this executable") cannot be read; its instructions are not counted")
        }
        let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        libraries = resolved.deletingLastPathComponent().path
        copy = "\(try directory.subdirectory("counted"))/\(resolved.lastPathComponent)"
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        guard
            FileManager.default.createFile(
                atPath: copy, contents: HiddenDebugSections.hidden(bytes), attributes: attributes)
        else { throw GaugeError("\(copy) cannot be written: \(SystemError.last)") }
        self.directory = directory
        self.interruption = interruption
        self.isUnhurried = isUnhurried
    }

    /// Counts one benchmark.
    ///
    /// - Parameters:
    ///   - timeOut: the time-out for each answer of the worker, seconds.
    /// - Throws: `WorkerFailure`, `GaugeError`, `Interrupted`.
    package func count(
        _ benchmark: BenchmarkName, settings: RunSettings, operations: Int = InstructionCounter.operations,
        timeOut: Double = 120
    ) throws -> InstructionCount {
        try count(benchmark.description, settings: settings, operations: operations, timeOut: timeOut)
    }

    /// Counts one benchmark by its name, which may exist only in another build.
    package func count(
        _ benchmark: String, settings: RunSettings, operations: Int = InstructionCounter.operations, timeOut: Double
    ) throws -> InstructionCount {
        let more = settings.extraWork > 0 ? "-more" : ""
        let name = String("counted\(more)-\(benchmark)".map { $0 == "/" ? "-" : $0 }.prefix(180))
        let output = "\(try directory.subdirectory(name))/profile"
        let worker = try WorkerProcess(
            executable: copy,
            arguments: WorkerArguments.make(
                benchmark: benchmark, settings: settings, directory: try directory.subdirectory("\(name)-work")),
            wrapper: valgrind.wrapper(output: output),
            environment: FixedSurroundings.environment(libraries: libraries, isUnhurried: isUnhurried),
            interruption: interruption)
        defer { worker.end() }
        do {
            try worker.beginPreparing(within: timeOut)
            guard try worker.finishPreparing(within: timeOut).kind != .threaded else {
                throw GaugeError("callgrind runs threads in turns; instructions of several are not counted")
            }
            // The first run fills caches, makes one-time allocations and binds symbols.
            for times in [1, 1, 2] {
                try worker.count(operations: operations * times, within: timeOut)
            }
        } catch let failure as WorkerFailure {
            let words = worker.lastWords.split(separator: "\n").suffix(3).joined(separator: "; ")
            throw GaugeError(
                "its instructions are not counted: under valgrind it \(failure)\(words.isEmpty ? "" : ": \(words)")")
        }
        let profiles = try [2, 3].map { number in
            guard let bytes = FileManager.default.contents(atPath: "\(output).\(number)") else {
                throw GaugeError("valgrind has written no \(output).\(number); its instructions are not counted")
            }
            return try CallgrindProfile(String(decoding: bytes, as: UTF8.self))
        }
        return InstructionCount(once: profiles[0], twice: profiles[1], operations: operations)
    }
}
