import Testing

@testable import GaugeKit

@Suite("Operation history") struct OperationHistoryTests {
    @Test("the history of a key has its operations only, oldest first")
    func aKeysHistoryIsItsOwnOperationsOldestFirst() {
        var history = OperationHistory(capacity: 100)
        history.note(1, .missed)
        history.note(2, .missed)
        history.note(1, .stored(version: 1, .storeEvict))
        history.note(1, .answered(version: 1, .memoryHit))
        history.note(1, .wrong(.otherVersion(1, expected: 2), .diskHit))
        #expect(
            history.lines(of: 1) == [
                "operation 1: miss", "operation 3: store-evict of version 1", "operation 4: memory-hit of version 1",
                "operation 5: disk-hit, wrong: an intact body of version 1, not of version 2",
            ])
    }

    @Test("only the last operations are remembered") func onlyTheLastOperationsAreRemembered() {
        var history = OperationHistory(capacity: 3)
        for version in 1...10 { history.note(1, .stored(version: UInt64(version), .store)) }
        #expect(
            history.lines(of: 1) == [
                "(of the last 3 operations on all keys)", "operation 8: store of version 8",
                "operation 9: store of version 9", "operation 10: store of version 10",
            ])
        #expect(history.lines(of: 1, limit: 1).last == "operation 10: store of version 10")
        #expect(history.lines(of: 1, limit: 1).contains("(2 earlier operations on it left out)"))
    }
}
