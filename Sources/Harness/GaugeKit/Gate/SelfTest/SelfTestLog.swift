import Foundation
import Platform

/// The file that a self-test adds each round to, and goes on from: one JSON object a line.
final class SelfTestLog {
    let path: String
    private let descriptor: Int32
    private(set) var records: [SelfTestRecord] = []
    /// Whether the last line was cut short, and was dropped.
    private(set) var hadTornLine = false

    /// A log of a thousand rounds has 2 MB.
    private static let longest = 64 << 20

    /// Opens a log, or begins one. A last line without an end was being written when its process was killed: it is taken
    /// away, and its round done again.
    ///
    /// - Throws: `GaugeError` for a file that is no such log, or that another process writes to.
    init(_ path: String) throws {
        self.path = path
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
            guard let record = try? JSONDecoder().decode(SelfTestRecord.self, from: Data(line)) else {
                throw GaugeError(
                    "line \(number + 1) of \(path) is not of a self-test's log; name another file with --log")
            }
            records.append(record)
        }
        hadTornLine = whole.count < bytes.count
        if hadTornLine, ftruncate(descriptor, off_t(whole.count)) != 0 {
            throw GaugeError("the torn last line of \(path) cannot be taken away: \(SystemError.last)")
        }
    }

    deinit {
        guard descriptor >= 0 else { return }
        // Closing is not enough while a process that was just forked still has its copy.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Adds a line; on disk when this returns.
    func add(_ record: SelfTestRecord) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        var line = try encoder.encode(record)[...]
        line.append(UInt8(ascii: "\n"))
        while !line.isEmpty {
            let written = line.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if written > 0 {
                line = line.dropFirst(written)
            } else if errno != EINTR {
                throw GaugeError("\(path) cannot be written: \(SystemError.last)")
            }
        }
        fsync(descriptor)
        records.append(record)
    }

    var settings: SelfTestRecord.Settings? {
        if case .settings(let settings)? = records.first { settings } else { nil }
    }

    var rounds: [SelfTestRecord.Round] {
        records.compactMap { if case .round(let round) = $0 { round } else { nil } }
    }

    var instructions: [SelfTestRecord.Instructions] {
        records.compactMap { if case .instructions(let counted) = $0 { counted } else { nil } }
    }
}
