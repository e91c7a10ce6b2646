import Foundation
import TestSupport
import Testing

@testable import GaugeSupport
@testable import GaugeMeasurement

@Suite("Builds of the gate") struct GateBuildsTests {
    @Test("a copy of an executable has the libraries and resources beside it, and nothing else") func copy() throws {
        let scratch = try ScratchDirectory()
        for name in ["tool", "library.so", "Module_Module.resources", "notes.txt", "other"] {
            try Data(name.utf8).write(to: URL(fileURLWithPath: "\(scratch.path)/\(name)"))
        }
        let directory = try TemporaryDirectory(in: nil)
        defer { directory.remove() }
        let copy = try GateBuilds.copy("\(scratch.path)/tool", named: "base", to: directory)
        #expect(copy == "\(directory.path)/build-base/tool")
        #expect(try String(contentsOfFile: copy, encoding: .utf8) == "tool")
        let folder = "\(directory.path)/build-base"
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
                == ["Module_Module.resources", "library.so", "tool"])
        #expect(try String(contentsOfFile: "\(folder)/library.so", encoding: .utf8) == "library.so")
        #expect(throws: GaugeError.self) {
            try GateBuilds.copy("\(scratch.path)/missing", named: "head", to: directory)
        }
    }
}
