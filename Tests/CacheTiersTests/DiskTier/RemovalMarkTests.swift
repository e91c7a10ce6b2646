import Testing

@testable import CacheTiers

@Suite("Marks of removals by date")
struct RemovalMarkTests {
    private func marks(_ dates: [Int64?]) -> RemovalMarks {
        var marks = RemovalMarks()
        for (slot, date) in dates.enumerated() {
            marks[slot] = date.map { RemovalMark(sequence: 10, date: $0, epoch: 1) }
        }
        return marks
    }

    @Test(
        "the nearest two are found by their dates, in whatever slots they are",
        arguments: [
            ([100, 10, 90, 50], 2, 0), ([10, 90, nil, 50, 55], 3, 4), ([.min, .max], 0, 1),
            ([5, -5, 6], 0, 2), ([.max, .min, 0], 2, 0),
        ] as [([Int64?], Int, Int)])
    func nearest(dates: [Int64?], earlier: Int, later: Int) throws {
        let pair = try #require(marks(dates).nearestPair)
        #expect(pair == (earlier, later))
    }

    @Test("a pair takes two marks, and a free slot is the first without one")
    func few() {
        #expect(marks([]).nearestPair == nil && marks([nil, 3]).nearestPair == nil)
        #expect(marks([]).isEmpty && !marks([nil, 3]).isEmpty)
        #expect(marks([4, nil, 3]).freeSlot == 1)
        #expect(marks(Array(repeating: 4, count: RemovalMark.slotCount)).freeSlot == nil)
    }

    @Test("a mark removes what was numbered before it and stored after its date")
    func removal() {
        let mark = RemovalMark(sequence: 10, date: 100, epoch: 1)
        #expect(mark.removes(sequence: 9, storedAt: 101))
        #expect(!mark.removes(sequence: 10, storedAt: 101) && !mark.removes(sequence: 9, storedAt: 100))
        #expect(marks([200, nil, 100]).removes(sequence: 9, storedAt: 150))
        #expect(!marks([200, nil, 150]).removes(sequence: 9, storedAt: 150))
    }
}
