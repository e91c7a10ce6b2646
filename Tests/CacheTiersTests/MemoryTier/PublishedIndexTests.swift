import Testing

@testable import CacheTiers

@Suite("Published index")
struct PublishedIndexTests {
    @Test(
        "the slots alone say that a key is missing, but not of a tag that is there, nor while entries are on the move")
    func missing() {
        let index = EntryIndex(capacity: 16)
        defer { index.deallocate() }
        let published = PublishedIndex(index)
        let hash = KeyHash(low: 5, high: 0)
        // Probing for it begins at the same slot.
        let neighbour = KeyHash(low: 5 + 32, high: 0)

        let inEmptyIndex = published.isMissing(hash.tag)
        #expect(inEmptyIndex)
        let meanwhile = published.moving { published.isMissing(hash.tag) }
        #expect(!meanwhile)
        let afterwards = published.isMissing(hash.tag)
        #expect(afterwards)

        index.occupySlot(hash, node: 1)
        let present = published.isMissing(hash.tag)
        #expect(!present)
        let besides = published.isMissing(neighbour.tag)
        #expect(besides)
    }
}
