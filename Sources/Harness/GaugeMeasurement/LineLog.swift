import Foundation
import GaugeSupport
import Platform

/// The log that a self-test appends each round to and continues from: one JSON object per line.
package final class LineLog<Record: Codable> {
    package let path: String
    private let table: String
    private let descriptor: Int32
    package private(set) var records: [Record] = []
    /// Whether the last line was incomplete and removed.
    package private(set) var hadTornLine = false

    /// The largest log, bytes. A thousand rounds have 2 MB.
    private static var longest: Int { 64 << 20 }

    /// Opens or creates a log. A process that is killed leaves an incomplete last line: it is removed, and its round
    /// repeated.
    ///
    /// - Throws: `UsageError` for a name that ends with `.md`, like the table's; `GaugeError` for a file that isn't a
    ///   log, or that another process is writing.
    package init(_ path: String) throws {
        self.path = path
        table = URL(fileURLWithPath: path).deletingPathExtension().appendingPathExtension("md").path
        guard URL(fileURLWithPath: path).pathExtension.lowercased() != "md" else {
            throw UsageError("the table of \(path) would be written over it; name a log that does not end with .md")
        }
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_APPEND, 0o644)
        guard descriptor >= 0 else {
            throw GaugeError("\(path) cannot be opened: \(SystemError.last); name another file with --log")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw GaugeError("another process writes to \(path); wait for it, or name another file with --log")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size <= Self.longest,
            let bytes = FileManager.default.contents(atPath: path)
        else { throw GaugeError("\(path) cannot be read, or is longer than \(Self.longest) bytes") }
        let whole = bytes.lastIndex(of: UInt8(ascii: "\n")).map { bytes[...$0] } ?? Data()
        for (number, line) in whole.split(separator: UInt8(ascii: "\n")).enumerated() {
            guard let record = try? JSONDecoder().decode(Record.self, from: Data(line)) else {
                throw GaugeError(
                    "line \(number + 1) of \(path) is not of a self-test's log; name another file with --log")
            }
            records.append(record)
        }
        hadTornLine = whole.count < bytes.count
        guard !hadTornLine || !records.isEmpty || Self.isBeginning(bytes) else {
            throw GaugeError("\(path) is not a self-test's log; name another file with --log")
        }
        if hadTornLine, ftruncate(descriptor, off_t(whole.count)) != 0 {
            throw GaugeError("the torn last line of \(path) cannot be taken away: \(SystemError.last)")
        }
    }

    deinit {
        guard descriptor >= 0 else { return }
        // Closing isn't enough while a newly forked process still holds a copy of the descriptor.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Appends a line, which is on disk when this returns.
    package func add(_ record: Record) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let line = try encoder.encode(record) + [UInt8(ascii: "\n")]
        do {
            try writeAll(line, to: descriptor)
        } catch {
            throw GaugeError("\(path) cannot be written: \(error)")
        }
        fsync(descriptor)
        records.append(record)
    }

    /// Whether a line may be the beginning of a record: an object without its end.
    private static func isBeginning(_ line: Data) -> Bool {
        line.first == UInt8(ascii: "{") && (try? JSONDecoder().decode(JSONValue.self, from: line)) == nil
    }

    /// Refuses to replace a file beside the log that isn't an earlier table: one that begins with another line.
    package func requireTable(like markdown: String) throws {
        guard let file = FileHandle(forReadingAtPath: table) else { return }
        let heading = Data(markdown.utf8.prefix { $0 != UInt8(ascii: "\n") })
        guard let beginning = try? file.read(upToCount: heading.count), beginning != heading else { return }
        throw UsageError("\(table) is there, and the table would be written over it; name another file with --log")
    }

    /// Writes the log's table to a file beside it, which ends with `.md`.
    package func writeTable(_ markdown: String) throws {
        try OutputFile(table, remedy: "name another file with --log").write(markdown)
    }
}

/// A line of a self-test's log: the settings that all its rounds share, which come first, or a round.
package enum SelfTestLine<Settings: Codable & Equatable & Sendable, Round: Codable & Equatable & Sendable>: Codable,
    Equatable, Sendable
{
    case settings(Settings)
    case round(Round)
    case instructions(PlantedInstructions)

    package var shared: Settings? { if case .settings(let settings) = self { settings } else { nil } }
    package var done: Round? { if case .round(let round) = self { round } else { nil } }
    package var counted: PlantedInstructions? { if case .instructions(let counted) = self { counted } else { nil } }
}

/// Evidence that the planted work is executed: instructions of one operation, counted by callgrind.
package struct PlantedInstructions: Codable, Equatable, Sendable {
    package let benchmark: String
    package let size: Double
    package let without: Double
    package let with: Double
}

/// Thrown by a round after which a self-test can't go on.
package struct EndedSelfTest: Error { let exitCode: ExitCode }

extension LineLog {
    /// Runs the rounds that the log lacks. Then prints its table, and writes it beside the log.
    ///
    /// - Parameters:
    ///   - settings: those with which the log begins or was begun.
    ///   - count: how many rounds the log will have.
    ///   - unit: what its user calls a round.
    ///   - table: the table of all records, in Markdown.
    ///   - measure: makes the round with this number, and a line about it. Throws `Interrupted` or `EndedSelfTest` to
    ///     end the test.
    /// - Returns: `interrupted` after an interruption; the log then holds all finished rounds.
    /// - Throws: `UsageError` for a log with other settings.
    package func run<Settings, Round>(
        _ settings: Settings, rounds count: Int, of unit: String, console: Console,
        table: ([Record]) -> String, measure: (_ number: Int) throws -> (Round, told: String)
    ) throws -> ExitCode where Record == SelfTestLine<Settings, Round> {
        var done: Int { records.count { $0.done != nil } }
        if hadTornLine { console.note("the last line of \(path) was cut short; its \(unit) is done again\n") }
        try requireTable(like: table(records))
        if records.first?.shared == nil { try add(.settings(settings)) }
        guard records.first?.shared == settings else {
            throw UsageError(
                "\(path) was begun with other options or benchmarks; give the same, or another file with --log")
        }
        var exitCode = ExitCode.ok
        do {
            while done < count {
                let (round, told) = try measure(done)
                try add(.round(round))
                console.note(told)
            }
        } catch {
            guard error is Interrupted || error is EndedSelfTest else { throw error }
            exitCode = (error as? EndedSelfTest)?.exitCode ?? .interrupted
            ProgressLine(console: console).clear()
            console.note(
                "\(exitCode == .interrupted ? "interrupted; " : "")\(path) holds \(done) \(unit)s, "
                    + "from which the next call goes on\n")
        }
        let text = table(records)
        try console.write(text)
        try writeTable(text)
        return exitCode
    }
}
