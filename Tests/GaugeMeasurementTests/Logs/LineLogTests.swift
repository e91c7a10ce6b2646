import Foundation
import Platform
import TestSupport
import Testing

@testable import GaugeSupport
@testable import GaugeMeasurement

@Suite("Log of lines") struct LineLogTests {
    private struct Record: Codable, Equatable {
        var number: Int
        var also = "a"
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    @Test("a line that was cut is removed, and the next one stands in its place") func cut() throws {
        let scratch = try ScratchDirectory()
        let path = "\(scratch.path)/test.log"
        let first = #"{"also":"a","number":1}"# + "\n"
        for (before, records, isCut) in [
            ("", [], false), (#"{"also"#, [], true), (first, [Record(number: 1)], false),
            (first + "{", [Record(number: 1)], true),
        ] {
            try Data(before.utf8).write(to: URL(filePath: path))
            do {
                let log = try LineLog<Record>(path)
                #expect(log.records == records && log.hadTornLine == isCut && log.path == path)
                #expect(try text(path) == (records.isEmpty ? "" : first))
                try log.add(Record(number: 2, also: "b"))
                #expect(log.records == records + [Record(number: 2, also: "b")])
            }
            #expect(try text(path) == (records.isEmpty ? "" : first) + #"{"also":"b","number":2}"# + "\n")
        }
        let log = try LineLog<Record>(path)
        try log.writeTable("| table |\n")
        #expect(try text("\(scratch.path)/test.md") == "| table |\n")
    }

    @Test(
        "a line without an end in a file that has no records stays, unless a record may begin so",
        arguments: ["my notes", #"{"also":"a"}"#, "[1"])
    func foreign(text notes: String) throws {
        let scratch = try ScratchDirectory()
        let path = "\(scratch.path)/notes"
        try Data(notes.utf8).write(to: URL(filePath: path))
        #expect(throws: GaugeError("\(path) is not a self-test's log; name another file with --log")) {
            try LineLog<Record>(path)
        }
        #expect(try text(path) == notes)
    }

    @Test("a file beside the log that is no earlier table is not written over") func otherTable() throws {
        let scratch = try ScratchDirectory()
        let table = "\(scratch.path)/notes.md"
        let log = try LineLog<Record>("\(scratch.path)/notes.log")
        try log.requireTable(like: "# Tested\n\n| a |\n")
        for (before, isTable) in [
            ("# Tested\n\n| b |\n", true), ("# Tested", true), ("", true), ("# My notes\n", false), ("#", false),
        ] {
            try before.write(toFile: table, atomically: true, encoding: .utf8)
            let write = { try log.requireTable(like: "# Tested\n\n| a |\n") }
            if isTable { try write() } else { #expect(throws: UsageError.self) { try write() } }
        }
    }

    @Test("a log with the name of a table is refused, and not made", arguments: ["a.md", "a.MD"])
    func tableName(name: String) throws {
        let scratch = try ScratchDirectory()
        let path = "\(scratch.path)/\(name)"
        #expect(throws: UsageError.self) { try LineLog<Record>(path) }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("what is no log, or has another writer, is refused with the remedy") func refused() throws {
        let scratch = try ScratchDirectory()
        let path = "\(scratch.path)/log"
        func expect(_ error: String) { #expect(throws: GaugeError(error)) { try LineLog<Record>(path) } }
        do {
            let log = try LineLog<Record>(path)
            expect("another process writes to \(path); wait for it, or name another file with --log")
            try log.add(Record(number: 1))
        }
        try Data((try text(path) + "{}\n").utf8).write(to: URL(filePath: path))
        expect("line 2 of \(path) is not of a self-test's log; name another file with --log")
        // A file without blocks, one byte longer than the longest.
        truncate(path, 64 << 20 | 1)
        expect("\(path) cannot be read, or is longer than 67108864 bytes")
        let folder = #expect(throws: GaugeError.self) { try LineLog<Record>(scratch.path) }
        #expect(
            folder?.description == "\(scratch.path) cannot be opened: Is a directory; name another file with --log")
    }
}
