import Foundation
import TestSupport
import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

@Suite("Files of results") struct ResultDocumentTests {
    @Test("a file of the most bytes is read, and one of a byte more is refused with both numbers")
    func length() throws {
        let scratch = try ScratchDirectory()
        let path = "\(scratch.path)/run.json"
        let text = #"{"context": {}, "benchmarks": []}"#
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        let count = text.utf8.count
        #expect(try ResultDocument.json(path: path, atMost: count)["benchmarks"] != nil)
        #expect(
            throws: GaugeError("\(path) has \(count) bytes, and a result has at most \(count - 1); name another file")
        ) { try ResultDocument.json(path: path, atMost: count - 1) }
    }

    @Test("a file that is missing, a directory, and a file that is no JSON are refused by name") func refused() throws {
        let scratch = try ScratchDirectory()
        try Data("text".utf8).write(to: URL(fileURLWithPath: "\(scratch.path)/text"))
        for (name, reason) in [("missing", "does not exist"), ("", "cannot be read"), ("text", "text")] {
            let path = "\(scratch.path)/\(name)"
            let error = #expect(throws: GaugeError.self) { try ResultDocument(path: path) }
            #expect(error?.description.hasPrefix(path) == true && error?.description.contains(reason) == true)
        }
    }
}
