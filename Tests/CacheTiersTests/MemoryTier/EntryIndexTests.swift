@testable import CacheTiers
import Testing

@Suite("Entry index") struct EntryIndexTests {
    /// Entries of one tag, which all belong into one bucket.
    private static func entries(_ count: Int, tag: UInt32) -> [StoredEntry] {
        let hash = KeyHash(low: UInt64(tag), high: 0)
        return (0..<count).map { TestKey("https://example.com/\(tag)/\($0)").entry(hash: hash, body: []) }
    }

    private static func find(_ entry: StoredEntry, in index: EntryIndex) -> Bool {
        entry.withKey { index.find($0, hash: entry.hash) }?.toOpaque() == entry.storage.toOpaque()
    }

    /// Above 255 entries that pass a bucket it is not known any more when none does.
    @Test("finds entries behind their bucket while those before them go", arguments: [8, 60, 300])
    func passedBuckets(count: Int) {
        let index = EntryIndex(capacity: 1024)
        defer { index.deallocate() }
        let entries = Self.entries(count, tag: 0xABCD_0005)
        for entry in entries { index.insert(entry.storage, tag: 0xABCD_0005) }
        for gone in entries.indices {
            if gone % 60 < 8 {
                #expect(entries[gone...].allSatisfy { Self.find($0, in: index) })
                #expect(!entries[..<gone].contains { Self.find($0, in: index) })
            }
            let visited = index.remove(entries[gone].storage, tag: 0xABCD_0005)
            #expect(visited == gone / 7 + 1)
        }
        #expect(!entries.contains { Self.find($0, in: index) })
        #expect(index.isEmpty == (count < 300))
    }

    @Test("goes round from the last bucket to the first") func roundTheEnd() {
        let index = EntryIndex(capacity: 64)
        defer { index.deallocate() }
        let entries = Self.entries(20, tag: 15)
        for entry in entries { index.insert(entry.storage, tag: 15) }
        #expect(entries.allSatisfy { Self.find($0, in: index) })
        #expect(index.remove(entries[19].storage, tag: 15) == 3)
    }

    @Test("a search for what is not there ends, however many entries have passed every bucket") func searchEnds() {
        let index = EntryIndex(capacity: 16)
        defer { index.deallocate() }
        var entries: [StoredEntry] = []
        // All four buckets are passed, one after the other, while entries before them keep them full.
        for tag in [UInt32(0), 1, 2, 3] {
            let filling = Self.entries(8, tag: tag)
            for entry in filling { index.insert(entry.storage, tag: tag) }
            for entry in filling.prefix(7) { _ = index.remove(entry.storage, tag: tag) }
            entries.append(filling[7])
        }
        #expect(entries.allSatisfy { Self.find($0, in: index) })
        let missing = Self.entries(9, tag: 0)[8]
        #expect(!Self.find(missing, in: index))
    }

    @Test("puts one entry in the place of another") func replacing() {
        let index = EntryIndex(capacity: 16)
        defer { index.deallocate() }
        let (old, new) = (Self.entries(1, tag: 9)[0], Self.entries(1, tag: 9)[0])
        index.insert(old.storage, tag: 9)
        index.replace(old.storage, by: new.storage, tag: 9)
        #expect(Self.find(new, in: index) && !Self.find(old, in: index))
    }

    @Test("a bucket counts what passes it up to 255, and stays there") func countOfPasses() {
        var summary = BucketSummary(word: 0)
        for _ in 0..<254 { summary.pass() }
        for _ in 0..<254 { summary.unpass() }
        #expect(!summary.isPassed)
        for _ in 0..<300 { summary.pass() }
        for _ in 0..<300 { summary.unpass() }
        #expect(summary.isPassed)
    }

    @Test("a bucket tells its places by fingerprint, and which of them are free") func places() {
        var summary = BucketSummary(word: 0)
        for place in 1...7 {
            #expect(summary.freePlace == place)
            summary.occupy(place, by: UInt32(place) << 25)
        }
        #expect(summary.freePlace == nil)
        for place in 1...7 {
            var places = summary.places(of: UInt32(place) << 25)
            #expect(places.next() == place)
        }
        summary.free(4)
        #expect(summary.freePlace == 4)
        var places = summary.places(of: 4 << 25)
        #expect(places.next() == nil)
    }
}

extension EntryIndex {
    /// Whether no bucket has an entry, or counts one that passed it.
    var isEmpty: Bool {
        var position = Position(home: 0, in: self)
        repeat { if bucket(position).summary.word != 0 { return false } } while position.advance()
        return true
    }
}
