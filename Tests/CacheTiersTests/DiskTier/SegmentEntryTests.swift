import Testing

@testable import CacheTiers

/// A slot of the segment table.
@Suite struct SegmentEntryTests {
    @Test("a slot is blank where all of it is zero, and damaged where any of it is not") func blank() {
        let entries = [
            SegmentEntry(firstRecord: 1, generation: 0, nonce: 0, epoch: 0),
            SegmentEntry(firstRecord: 0, generation: 1, nonce: 0, epoch: 0),
            SegmentEntry(firstRecord: 0, generation: 0, nonce: 1, epoch: 0),
            SegmentEntry(firstRecord: 0, generation: 0, nonce: 0, epoch: 1),
        ]
        #expect(SegmentEntry.blank.isBlank && !entries.contains { $0.isBlank })
        // Of a blank one the checksum is not zero.
        let sealed = SegmentEntry.blank.sealed(forSlot: 3, of: 5)
        #expect(!sealed.isBlank && !sealed.isValid(inSlot: 3, of: 5))
    }

    @Test("an entry is valid in its own slot of its own file alone") func slot() {
        let entry = SegmentEntry(firstRecord: 4, generation: 7, nonce: 9, epoch: 2).sealed(forSlot: 3, of: 5)
        #expect(entry.isValid(inSlot: 3, of: 5) && !entry.isValid(inSlot: 2, of: 5) && !entry.isValid(inSlot: 3, of: 4))
        var changed = entry
        changed.nonce += 1
        #expect(!changed.isValid(inSlot: 3, of: 5))
    }
}
