import Foundation
import TestSupport
import Testing

@testable import GaugeSupport

/// Files that the system provides, and places for those of a run.
@Suite("System files and directories") struct SystemFileTests {
    @Test("the numbers of a file of /proc are read by name, and other lines are passed over") func numbers() throws {
        let scratch = try ScratchDirectory()
        let path = "\(scratch.path)/status"
        try "rchar: 12\nVmRSS:\t  34 kB\nName:\tswift\nempty:\nno number\nlast: 5".write(
            toFile: path, atomically: false, encoding: .utf8)
        var found: [String] = []
        ProcFile.forEachNumber(in: path) { found.append("\($0)=\($1)") }
        #expect(found == ["rchar=12", "VmRSS=34", "last=5"])
        #expect(ProcFile.contents("\(scratch.path)/none").isEmpty)
        #expect(ProcFile.contents(scratch.path).isEmpty)
    }

    @Test("a program is found in the first directory of PATH where it can be run") func programs() throws {
        let scratch = try ScratchDirectory()
        for (folder, mode) in [("a", 0o600), ("b", 0o700), ("c", 0o700)] {
            try FileManager.default.createDirectory(
                atPath: "\(scratch.path)/\(folder)", withIntermediateDirectories: false)
            let file = "\(scratch.path)/\(folder)/tool"
            #expect(FileManager.default.createFile(atPath: file, contents: nil, attributes: [.posixPermissions: mode]))
        }
        let path = ["none", "a", "b", "c"].map { "\(scratch.path)/\($0)" }.joined(separator: ":")
        #expect(Programs.find("tool", in: "::" + path) == "\(scratch.path)/b/tool")
        #expect(Programs.find("other", in: path) == nil && Programs.find("tool", in: nil) == nil)
    }

    @Test("a temporary directory has its own name and is empty, private, and removed with all in it")
    func temporary() throws {
        let scratch = try ScratchDirectory()
        let directory = try TemporaryDirectory(in: scratch.path)
        let name = try #require(directory.path.split(separator: "/").last.map(String.init))
        #expect(directory.path == "\(scratch.path)/\(name)" && TemporaryDirectory.isName(name))
        let inner = try directory.subdirectory("a")
        #expect(inner == "\(directory.path)/a")
        let attributes = try FileManager.default.attributesOfItem(atPath: inner)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
        let again = #expect(throws: GaugeError.self) { try directory.subdirectory("a") }
        #expect(again?.description == "\(inner) cannot be made: File exists")
        directory.remove()
        #expect(scratch.contents == [])
        #expect(["/a", "", nil].map { TemporaryDirectory.usualParent($0) } == ["/a", "/tmp", "/tmp"])
        for other in ["cachegauge-", "cachegauge-abcde", "cachegauge-abcdefg", "gauge-abcdef-abcdef", ""] {
            #expect(!TemporaryDirectory.isName(other), "\(other)")
        }
    }
}
