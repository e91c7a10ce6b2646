import CacheTiers
import Platform
import Testing

/// What finding entries on disk costs in memory.
@Suite struct IndexMemoryTests {
    @Test("the index takes fewer than 64 bytes an entry, whatever the entries' size", arguments: [1, 4, 16, 64])
    func theIndexTakesFewerThan64BytesAnEntryWhateverTheEntriesSize(kilobytes: Int) throws {
        let directory = TemporaryDirectory()
        let tier = try DiskTier(directory: directory.path, capacity: 20 << 20)
        let body = [UInt8](repeating: 7, count: kilobytes << 10)
        for number in 0..<(20 << 10) / kilobytes {
            let sample = Sample(number: number)
            let entry = StoredEntry(
                key: ContiguousArray(sample.key).span.bytes, hash: sample.hash, metadata: RawSpan(),
                body: ContiguousArray(body).span.bytes,
                storedAt: 0)
            if let entry { try tier.store(entry) }
        }
        // Full: some have been evicted.
        #expect(tier.statistics.evictions > 0)
        let each = Double(tier.indexBytes) / Double(tier.count)
        #expect(each < 64, "\(each)")
    }

    @Test("a tier that grows in place keeps its entries") func aTierThatGrowsInPlaceKeepsItsEntries() throws {
        let directory = TemporaryDirectory()
        let tier = try DiskTier(directory: directory.path, capacity: 4 << 20)
        let samples = (0..<200).map { Sample(number: $0, bodyCount: 10_000) }
        for sample in samples { try tier.store(sample.entry()) }
        let before = tier.indexBytes
        try tier.setCapacity(24 << 20)
        for number in 1_000..<2_900 { try tier.store(Sample(number: number, bodyCount: 10_000).entry()) }
        for sample in samples { #expect(tier.holds(sample)) }
        #expect(tier.indexBytes > before)
        try tier.setCapacity(4 << 20)
        #expect(tier.holds(Sample(number: 2_899, bodyCount: 10_000)))
    }
}
