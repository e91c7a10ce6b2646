import Testing

@testable import GaugeMeasurement

@Suite("Instructions of one operation") struct InstructionCountTests {
    private static func profile(_ costs: [(String, Int)], calls: Int = 0) throws -> CallgrindProfile {
        let functions = costs.map { "fn=\($0.0)\n1 \($0.1)\n" }.joined()
        return try CallgrindProfile("events: Ir sysCount\n\(functions)fn=calls\n1 0 \(calls)\n")
    }

    @Test("a function has the difference of both profiles for each operation, also one that is in one of them alone")
    func functions() throws {
        let once = try Self.profile([("a", 100), ("b", 70), ("e", 40), ("gone", 30), ("same", 8)], calls: 5)
        let twice = try Self.profile(
            [("same", 8), ("d", 60), ("b", 120), ("a", 400), ("new", 50), ("e", 100), ("c", 60)], calls: 25)
        let count = InstructionCount(once: once, twice: twice, operations: 10)
        #expect(count.operations == 10 && count.systemCalls == 2)
        #expect(count.perOperation == Double(798 - 248) / 10)
        // Those of equal cost by their names.
        #expect(
            count.functions == [
                .init(name: "a", perOperation: 30), .init(name: "c", perOperation: 6),
                .init(name: "d", perOperation: 6), .init(name: "e", perOperation: 6),
                .init(name: "b", perOperation: 5), .init(name: "new", perOperation: 5),
                .init(name: "gone", perOperation: -3),
            ])
    }
}
