import Foundation
import Platform
import TestSupport
import Testing

@testable import GaugeSupport

@Suite("Output file") struct OutputFileTests {
    private func message(_ path: String) -> String? {
        do {
            _ = try OutputFile(path, remedy: "name another")
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test("a path that cannot be written is an error before anything is written")
    func aPathThatCannotBeWritten() throws {
        let scratch = try ScratchDirectory()
        try Data().write(to: URL(fileURLWithPath: "\(scratch.path)/file"))
        let missing = "\(scratch.path)/none/a.json"
        #expect(message(missing) == "\(missing) cannot be written: No such file or directory; name another")
        #expect(message("") == "'' cannot be written: No such file or directory; name another")
        for (path, reason) in [
            (scratch.path, "Is a directory"), ("\(scratch.path)/new/", "Is a directory"),
            ("\(scratch.path)/file/a.json", "Not a directory"),
        ] {
            #expect(message(path) == "\(path) cannot be written: \(reason); name another")
        }
        #expect(scratch.contents == ["file"])
    }

    @Test("a new file and an old one are written, and an old one is kept until then")
    func aNewFileAndAnOldOne() throws {
        let scratch = try ScratchDirectory()
        let (new, old) = ("\(scratch.path)/new", "\(scratch.path)/old")
        try Data("before".utf8).write(to: URL(fileURLWithPath: old))
        let files = try [new, old].map { try OutputFile($0, remedy: "") }
        #expect(scratch.contents == ["old"])
        #expect(try String(contentsOfFile: old, encoding: .utf8) == "before")
        for file in files {
            try file.write("after")
            #expect(try String(contentsOfFile: file.path, encoding: .utf8) == "after")
        }
    }

    @Test("an earlier file stays whole where the new one fails, keeps its rights, and nothing is left beside it")
    func failed() throws {
        let scratch = try ScratchDirectory()
        let path = "\(scratch.path)/old"
        try Data("before".utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o640)
        let unfinished = "\(scratch.path)/.unfinished-\(getpid())"
        // The new one can't be made while a folder has its name.
        mkdir(unfinished, 0o700)
        #expect(throws: GaugeError.self) { try OutputFile(path, remedy: "").write("after") }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "before")
        rmdir(unfinished)
        try OutputFile(path, remedy: "").write("after")
        var information = stat()
        #expect(stat(path, &information) == 0 && information.st_mode & 0o777 == 0o640)
        #expect(scratch.contents == ["old"])
    }

    @Test("a file may have the longest name that the system takes") func longName() throws {
        let scratch = try ScratchDirectory()
        let name = String(repeating: "n", count: 255)
        for text in ["new", "old"] {
            try OutputFile("\(scratch.path)/\(name)", remedy: "").write(text)
            #expect(try String(contentsOfFile: "\(scratch.path)/\(name)", encoding: .utf8) == text)
        }
        #expect(scratch.contents == [name])
    }

    @Test("links keep pointing to a file, which gets the content") func links() throws {
        let scratch = try ScratchDirectory()
        try Data("before".utf8).write(to: URL(fileURLWithPath: "\(scratch.path)/file"))
        try FileManager.default.createSymbolicLink(
            atPath: "\(scratch.path)/soft", withDestinationPath: "\(scratch.path)/file")
        link("\(scratch.path)/file", "\(scratch.path)/hard")
        for name in ["soft", "hard"] {
            try OutputFile("\(scratch.path)/\(name)", remedy: "").write(name)
            #expect(try String(contentsOfFile: "\(scratch.path)/file", encoding: .utf8) == name)
        }
        #expect(scratch.contents.sorted() == ["file", "hard", "soft"])
    }

    /// Through a link, so that a mistake replaces the link and not the device.
    @Test("a device is written to and stays one, and a full one is an error", .enabled(if: isDevice("/dev/full")))
    func aDevice() throws {
        let scratch = try ScratchDirectory()
        for name in ["null", "full"] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(scratch.path)/\(name)", withDestinationPath: "/dev/\(name)")
        }
        try OutputFile("\(scratch.path)/null", remedy: "").write("x")
        #expect(throws: GaugeError.self) { try OutputFile("\(scratch.path)/full", remedy: "").write("x") }
        for name in ["null", "full"] {
            #expect(
                try FileManager.default.destinationOfSymbolicLink(atPath: "\(scratch.path)/\(name)") == "/dev/\(name)")
        }
    }

    private static func isDevice(_ path: String) -> Bool {
        var information = stat()
        return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFCHR
    }
}
