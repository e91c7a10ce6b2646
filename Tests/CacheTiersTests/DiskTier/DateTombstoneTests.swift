import Testing

@testable import CacheTiers

@Suite("Tombstones of removals by date") struct DateTombstoneTests {
    private func tombstones(_ dates: [Int64?]) -> DateTombstones {
        var tombstones = DateTombstones()
        for (slot, date) in dates.enumerated() {
            tombstones[slot] = date.map { DateTombstone(sequence: 10, date: $0, epoch: 1) }
        }
        return tombstones
    }

    @Test(
        "the nearest two are found by their dates, in whatever slots they are",
        arguments: [
            ([100, 10, 90, 50], 2, 0), ([10, 90, nil, 50, 55], 3, 4), ([.min, .max], 0, 1),
            ([5, -5, 6], 0, 2), ([.max, .min, 0], 2, 0),
        ] as [([Int64?], Int, Int)])
    func nearest(dates: [Int64?], earlier: Int, later: Int) throws {
        let pair = try #require(tombstones(dates).nearestPair)
        #expect(pair == (earlier, later))
    }

    @Test("a pair takes two tombstones, and a free slot is the first without one") func few() {
        #expect(tombstones([]).nearestPair == nil && tombstones([nil, 3]).nearestPair == nil)
        #expect(tombstones([]).isEmpty && !tombstones([nil, 3]).isEmpty)
        #expect(tombstones([4, nil, 3]).freeSlot == 1)
        #expect(tombstones(Array(repeating: 4, count: DateTombstone.slotCount)).freeSlot == nil)
    }

    @Test("a tombstone removes what was numbered before it and stored after its date") func removal() {
        let tombstone = DateTombstone(sequence: 10, date: 100, epoch: 1)
        #expect(tombstone.removes(sequence: 9, storedAt: 101))
        #expect(!tombstone.removes(sequence: 10, storedAt: 101) && !tombstone.removes(sequence: 9, storedAt: 100))
        #expect(tombstones([200, nil, 100]).removes(sequence: 9, storedAt: 150))
        #expect(!tombstones([200, nil, 150]).removes(sequence: 9, storedAt: 150))
    }
}
