import Testing

@testable import GaugeKit

@Suite("Help") struct HelpTextTests {
    @Test("the second column begins two blanks behind the longest first one, on every line") func table() {
        let words = Array(repeating: "word", count: 25).joined(separator: " ")
        let lines = HelpText.table([("a", "short"), ("long", words)]).split(separator: "\n").map(String.init)
        #expect(lines.count == 3)
        #expect(lines.first == "  a     short")
        #expect(lines.dropFirst().first?.hasPrefix("  long  word word") == true)
        #expect(lines.last?.hasPrefix("        word") == true)
        #expect(lines.allSatisfy { $0.count <= 110 })
    }

    @Test("a line is filled up to its width, with the blanks between words") func width() {
        #expect(HelpText.wrapped("aaa bbb", width: 7) == ["aaa bbb"])
        #expect(HelpText.wrapped("aaa bbb", width: 6) == ["aaa", "bbb"])
    }
}
