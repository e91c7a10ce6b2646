import Foundation
import GaugeSupport
import Platform

/// Counts the instructions of benchmarks, each in its own worker under callgrind. Takes some seconds per benchmark,
/// since code runs about fifty times as slowly there.
///
/// Works on any executable that speaks the worker protocol, so you can compare two builds.
package struct InstructionCounter {
    private let valgrind: Valgrind
    private let copy: String
    private let libraries: String
    private let directory: TemporaryDirectory
    private let interruption: Interruption?
    private let isUnhurried: Bool

    /// The first run counts so many operations and the second twice as many: enough to include infrequent work, and few
    /// enough for operations of some microseconds.
    package static let operations = 1_000
    /// How many operations to count, and how many in the sequence counted one by one. Fewer of slow ones, which would
    /// take callgrind minutes.
    ///
    /// - Parameter nanoseconds: the time of an operation without callgrind.
    /// - Returns: `nil` for an operation of more than five seconds.
    package static func operations(taking nanoseconds: Double) -> (whole: Int, sequence: Int)? {
        switch nanoseconds {
        case ...50_000: (operations, SequenceCount.operations)
        case ...500_000: (100, 256)
        case ...5_000_000: (20, 64)
        case ...50_000_000: (4, 16)
        case ...5_000_000_000: (1, 2)
        default: nil
        }
    }

    /// - Parameters:
    ///   - executable: the executable whose benchmarks are counted; this one when `nil`.
    ///   - directory: for the copy of the executable and the profiles.
    ///   - isUnhurried: see `FixedSurroundings.isUnhurried`.
    ///   - valgrind: the installed one when `nil`.
    /// - Throws: `GaugeError` if valgrind isn't installed or the executable can't be read.
    package init(
        executable: String? = nil, directory: TemporaryDirectory, interruption: Interruption? = nil,
        isUnhurried: Bool = false, valgrind: Valgrind? = nil
    ) throws {
        self.valgrind = try valgrind ?? Valgrind()
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
        (self.directory, self.interruption, self.isUnhurried) = (directory, interruption, isUnhurried)
    }

    /// Counts one benchmark, which may exist only in another build.
    ///
    /// - Parameter timeOut: the time-out for each answer of the worker, seconds.
    /// - Throws: `WorkerFailure`, `GaugeError`, `Interrupted`.
    package func count(
        _ benchmark: String, settings: RunSettings, operations: Int = InstructionCounter.operations,
        timeOut: Double = 120
    ) throws -> InstructionCount {
        try counts(benchmark, settings: settings, operations: operations, sequence: 0, timeOut: timeOut).whole
    }

    /// Counts one benchmark, and then a sequence of operations one by one.
    ///
    /// - Parameters:
    ///   - sequence: the operations in the sequence; 0 for none.
    ///   - isOnDemand: see `Valgrind.wrapper`.
    /// - Returns: `each` is `nil` without a sequence.
    package func counts(
        _ benchmark: String, settings: RunSettings, operations: Int = InstructionCounter.operations, sequence: Int,
        isOnDemand: Bool = false, timeOut: Double
    ) throws -> (whole: InstructionCount, each: SequenceCount?) {
        let more = settings.extraWork > 0 ? "-more" : ""
        let name = String("counted\(more)-\(benchmark)".map { $0 == "/" ? "-" : $0 }.prefix(180))
        let profiles = try TemporaryDirectory(in: directory.subdirectory(name))
        defer { profiles.remove() }
        let output = "\(profiles.path)/profile"
        let worker = try WorkerProcess(
            executable: copy,
            arguments: WorkerArguments.make(
                benchmark: benchmark, settings: settings, directory: try directory.subdirectory("\(name)-work")),
            wrapper: valgrind.wrapper(output: output, isOnDemand: isOnDemand),
            environment: FixedSurroundings.environment(libraries: libraries, isUnhurried: isUnhurried),
            interruption: interruption)
        defer { worker.end() }
        do {
            try worker.beginPreparing(within: timeOut)
            let prepared = try worker.finishPreparing(within: timeOut)
            guard prepared.kind != .threaded else {
                throw GaugeError("callgrind runs threads in turns; instructions of several are not counted")
            }
            // The first run fills caches, makes one-time allocations and binds symbols.
            for times in [1, 1, 2] { try worker.count(operations: operations * times, within: timeOut) }
            if sequence > 0 { _ = try worker.countEach(operations: sequence, within: timeOut) }
        } catch let failure as WorkerFailure {
            let words = worker.lastWords.split(separator: "\n").suffix(3).joined(separator: "; ")
            throw GaugeError(
                "its instructions are not counted: under valgrind it \(failure)\(words.isEmpty ? "" : ": \(words)")")
        }
        let dumps = try CallgrindDumps(ofFile: output)
        return (
            InstructionCount(once: try dumps.profile(2), twice: try dumps.profile(3), operations: operations),
            sequence > 0 ? try SequenceCount(dumps, from: 4, count: sequence) : nil
        )
    }
}
