import Testing

@testable import GaugeMeasurement

@Suite("Instructions by function") struct FunctionProfileTests {
    private func row(_ functions: [(String, Double)]) -> ResultRow {
        var row = SampleDocument.make().rows[0]
        row.instructions = InstructionCount(
            perOperation: functions.reduce(0) { $0 + $1.1 }, operations: 10,
            functions: functions.map { .init(name: $0.0, perOperation: $0.1) })
        return row
    }

    @Test("the functions that nine tenths of the instructions are in are shown, and no more") func nineTenths() {
        let text = FunctionProfile.text(
            [row([("malloc", 600), ("$s10HTTPFields5parseyyF", 310), ("free", 80), ("memcpy", 10)])], width: 80)
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.count == 4, "\(text)")
        #expect(lines[1].hasSuffix(": 1000"))
        #expect(lines[2].split(separator: " ") == ["600", "60.0", "%", "malloc"])
        #expect(lines[3].hasSuffix("HTTPFields.parse() -> ()") && lines[3].contains(" 310 "))
    }

    @Test("a row that was not counted has no block") func uncounted() {
        var row = row([("malloc", 1)])
        row.instructions = nil
        #expect(FunctionProfile.text([row], width: 80) == "")
    }

    @Test("a function that saves instructions in the longer run does not count as one") func negative() {
        #expect(!FunctionProfile.text([row([("a", 10), ("b", -2)])], width: 80).contains("-2"))
    }
}
