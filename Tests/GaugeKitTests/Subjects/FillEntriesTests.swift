import Testing

@testable import GaugeMeasurement
@testable import GaugeKit
@testable import GaugeTraces

@Suite("Entries that fill a cache") struct FillEntriesTests {
    @Test("the newest entries that fit, each with its overhead, come in their order") func newest() {
        let entries = FillEntries([5, 6, 7, 8], urls: RequestURLs(seed: 1), seconds: 9) { Int($0) * 10 }
        #expect(entries.count == 4 && entries.bodyBytes == 260 && entries.longest == 80)
        // Of 80 and 70 bytes, each with 3 more.
        for (capacity, keys) in [(82, []), (83, [8]), (155, [8]), (156, [7, 8]), (1_000, [5, 6, 7, 8])]
            as [(Int, [UInt64])]
        {
            let newest = entries.newest(within: capacity, overhead: 3)
            #expect(newest.keys == keys && newest.seconds == 9 && newest.size(8) == 80)
        }
    }

    @Test(
        "a cache that is too slow to be filled says how many entries it stored in how many seconds, a part as one",
        arguments: [(0, 0), (1e-12, 1)])
    func tooSlow(seconds: Double, told: Int) {
        let subject = HonestSubject(SubjectConfiguration(memoryCapacity: 1 << 20, diskCapacity: 0, directory: ""))
        let entries = FillEntries([5, 6, 7], urls: RequestURLs(seed: 1), seconds: seconds) { _ in 100 }
        let slow = #expect(throws: TooSlow.self) { try subject.fill(with: entries) }
        #expect(slow?.description == "1 of 3 entries were stored in \(told) s")
        // With the last entry it is filled, however long that took.
        #expect(throws: Never.self) { try subject.fill(with: entries.newest(within: 100, overhead: 0)) }
    }

    @Test("each entry has the URL and the body of its key") func bodies() {
        let urls = RequestURLs(seed: 1)
        let entries = FillEntries([5, 6], urls: urls) { Int($0) * 10 }
        var found: [String] = []
        entries.forEach { url, body in
            let key = UInt64(5 + found.count)
            #expect(Payload.fault(in: body, key: key, version: 1, count: Int(key) * 10) == nil)
            found.append(url)
        }
        #expect(found == [urls.url(for: 5), urls.url(for: 6)])
    }
}
