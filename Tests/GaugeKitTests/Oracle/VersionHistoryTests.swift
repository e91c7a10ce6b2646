import Testing

@testable import GaugeKit

@Suite("Version history") struct VersionHistoryTests {
    @Test("while a change is under way either version may be answered, and afterwards the new one alone")
    func duringAChange() {
        var history = VersionHistory()
        history.set(1, version: 1, at: 1)
        history.begin(1, version: 2, at: 5)
        #expect(history.mayAnswer(1, version: 1, from: 6, until: 6))
        #expect(history.mayAnswer(1, version: 2, from: 6, until: 6))
        history.end(1, began: 5, at: 9)
        #expect(!history.mayAnswer(1, version: 1, from: 10, until: 11))
        // Nobody knows which came first of what happened at one tick.
        #expect(history.mayAnswer(1, version: 1, from: 9, until: 9))
        #expect(history.mayAnswer(1, version: 2, from: 10, until: 11))
        // A call that began before the change ended may have been answered before it.
        #expect(history.mayAnswer(1, version: 1, from: 8, until: 20))
    }

    @Test("a version is not answered before it was asked for, nor another key's, nor one that never was")
    func neverCurrent() {
        var history = VersionHistory()
        history.set(1, version: 1, at: 5)
        #expect(!history.mayAnswer(1, version: 1, from: 2, until: 4))
        #expect(!history.mayAnswer(2, version: 1, from: 6, until: 7))
        #expect(!history.mayAnswer(1, version: 3, from: 6, until: 7))
    }

    @Test("after a removal nothing of before may be answered, until it is stored again") func removal() {
        var history = VersionHistory()
        history.set(1, version: 1, at: 1)
        history.set(1, version: VersionHistory.nothing, at: 2)
        #expect(!history.mayAnswer(1, version: 1, from: 3, until: 4))
        #expect(history.versions(of: 1, at: 3) == [])
        history.set(1, version: 1, at: 5)
        #expect(history.mayAnswer(1, version: 1, from: 6, until: 6))
    }

    @Test("two changes that overlap may have happened in either order") func overlapping() {
        var history = VersionHistory()
        history.begin(1, version: 1, at: 1)
        history.begin(1, version: 2, at: 2)
        history.end(1, began: 1, at: 3)
        history.end(1, began: 2, at: 4)
        #expect(history.versions(of: 1, at: 9).sorted() == [1, 2])
    }

    @Test("forgetting changes no answer for calls that are still open") func forgetting() {
        var history = VersionHistory()
        for version in 1...100 as ClosedRange<UInt64> {
            history.set(1, version: version, at: version * 10)
            history.forget(before: version * 10)
        }
        #expect(history.mayAnswer(1, version: 100, from: 1_001, until: 1_002))
        #expect(!history.mayAnswer(1, version: 99, from: 1_001, until: 1_002))
    }
}
