import Foundation
import Platform
import TestSupport
import Testing

@testable import GaugeTraces

@Suite("Interrupted traces") struct InterruptedTraceTests {
    @Test("a trace that was interrupted is cut short and has no digest, one that was read to its end has")
    func interrupted() throws {
        let scratch = try ScratchDirectory()
        let path = "\(scratch.path)/trace"
        try "a\nb\n".write(toFile: path, atomically: true, encoding: .utf8)
        var ends: [CInt] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        func lines(_ input: TraceInput) throws -> [String] {
            var lines: [String] = []
            while let line = try input.line(number: lines.count + 1) {
                lines.append(String(decoding: line, as: UTF8.self))
            }
            return lines
        }
        let whole = try TraceInput(path: path, interruption: ends[0])
        #expect(try lines(whole) == ["a", "b"])
        #expect(!whole.isCutShort && whole.digest?.count == 4)
        #expect(write(ends[1], "x", 1) == 1)
        let cut = try TraceInput(path: path, interruption: ends[0])
        #expect(try lines(cut) == [])
        #expect(cut.isCutShort && cut.digest == nil)
        // A pipe without a writer does not keep it waiting either.
        let named = "\(scratch.path)/pipe"
        #expect(mkfifo(named, 0o600) == 0)
        let waiting = try TraceInput(path: named, interruption: ends[0])
        #expect(try lines(waiting) == [])
        #expect(waiting.isCutShort)
        // An archive that ends too early is damaged, unless the interruption ended it.
        try #"{"log":{"entries":["#.write(toFile: path, atomically: true, encoding: .utf8)
        var damaged = HARTrace(try TraceInput(path: path))
        #expect(throws: TraceError.self) { try damaged.next(isTold: false) }
        var archive = HARTrace(try TraceInput(path: path, interruption: ends[0]))
        #expect(try archive.next(isTold: false) == nil)
    }
}
