import Testing

@testable import GaugeTraces

/// The objects that S3-FIFO remembers after it has evicted them.
@Suite("S3-FIFO") struct S3FIFOTests {
    @Test(
        "a smaller cache remembers as many fewer of the objects that it has evicted",
        arguments: [(160, 160), (161, 200), (169, 200)])
    func ghostsOfSmallerCache(object: Int, expected: Int) {
        var cache = S3FIFOPolicy(capacity: 100)
        cache.reserve(300)
        for object in 0..<180 { cache.store(object, size: 1) { _, _ in } }
        // Until the cache was full, all but the first ten went to the main queue. The first ten and 100 to 169 have
        // left.
        for object in Array(10..<100) + Array(170..<180) { cache.remove(object) }
        #expect(cache.used == 0)
        // They are remembered, and by a cache of 10 the last nine of them: 161 to 169. These stay when they come again,
        // and any other object leaves first.
        cache.resize(to: 10) { _, _ in }
        cache.store(object, size: 1) { _, _ in }
        var evicted: [Int] = []
        for new in 200..<210 { cache.store(new, size: 1) { gone, _ in evicted.append(gone) } }
        #expect(evicted == [expected])
    }
}
