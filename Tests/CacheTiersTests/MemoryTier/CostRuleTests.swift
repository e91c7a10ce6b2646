import CSupport
import CacheTiers
import Testing

#if canImport(Glibc)
@Suite("Cost rule") struct CostRuleTests {
    /// In a separate process, since the allocator's figures are of the whole process; it prints a line for each
    /// measurement: bytes of a body, entries, bytes counted, bytes in use.
    @Test("what the tier counts is what the allocator has in use, within 10 %, at 256 B, 4 KiB and 64 KiB")
    func trueToTheAllocator() async throws {
        let child = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            for bodyCount in [256, 4_096, 65_536] {
                for fill in [0.6, 1.0] { try CostRuleTests.measure(bodyCount: bodyCount, fill: fill) }
            }
        }
        let lines = String(decoding: child?.standardOutputContent ?? [], as: UTF8.self).split(separator: "\n")
        let figures = lines.filter { $0.hasPrefix("figures ") }.map {
            $0.split(separator: " ").dropFirst().compactMap { Double($0) }
        }
        #expect(figures.count == 12)
        for figure in figures {
            let ratio = figure[3] / figure[2]
            #expect(
                abs(ratio - 1) < 0.1,
                "\(figure[1]) entries of \(figure[0]) B: \(figure[3]) in use, \(figure[2]) counted")
        }
    }

    /// Fills a tier to a part of its capacity, measures, truncates it to a third, and measures again.
    static func measure(bodyCount: Int, fill: Double) throws {
        let before = cs_heap_bytes_in_use()
        let tier = try MemoryTier(capacity: 24 << 20)
        let goal = Int(Double(tier.capacity) * fill)
        let metadata = [UInt8](repeating: 3, count: 150)
        let body = [UInt8](repeating: 5, count: bodyCount)
        var number = 1_000_000
        while tier.usage + bodyCount + 1_000 < goal {
            number += 1
            let key = TestKey("https://img.example.com/photos/2026/\(number)/thumbnail.jpg").key
            let entry = StoredEntry(
                key: ContiguousArray(key.bytes).span.bytes, hash: key.hash,
                metadata: ContiguousArray(metadata).span.bytes,
                body: ContiguousArray(body).span.bytes,
                storedAt: 0)
            _ = tier.store(try #require(entry))
        }
        print("figures", bodyCount, tier.count, tier.usage, cs_heap_bytes_in_use() - before)
        try tier.setCapacity(tier.capacity / 3)
        tier.finishReleases()
        print("figures", bodyCount, tier.count, tier.usage, cs_heap_bytes_in_use() - before)
    }
}
#endif
