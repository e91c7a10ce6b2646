import Synchronization
import TestSupport
import Testing

@testable import CacheTiers
@testable import HTTPCache
@testable import URLCaching

/// What is kept decoded beside the entries, and how much.
@Suite("Decoded responses", .timeLimit(.minutes(60))) struct DecodedMemoryTests {
    private static func request(_ number: Int) throws -> URLRequest {
        URLRequest(url: try #require(URL(string: "https://example.com/\(number)")))
    }

    private static func body(_ number: Int, _ count: Int) -> Data {
        Data(repeating: UInt8(truncatingIfNeeded: number), count: count)
    }

    private static func filled(_ range: Range<Int>, body count: Int, capacity: Int) throws -> ResponseCache {
        try filled(range, body: count, in: ResponseCache(memoryCapacity: capacity, diskCapacity: 0, diskPath: nil))
    }

    private static func filled(_ range: Range<Int>, body count: Int, in cache: ResponseCache) throws -> ResponseCache {
        for number in range {
            let request = try request(number)
            let url = try #require(request.url)
            let head = try #require(
                HTTPURLResponse(
                    url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: ["X-Number": "\(number)"]))
            cache.storeCachedResponse(
                CachedURLResponse(
                    response: head, data: body(number, count), userInfo: ["n": number], storagePolicy: .allowed),
                for: request)
        }
        return cache
    }

    private static func isRight(_ cached: CachedURLResponse?, _ number: Int, _ count: Int) -> Bool {
        let head = cached?.response as? HTTPURLResponse
        return head?.statusCode == 200 && head?.url?.absoluteString == "https://example.com/\(number)"
            && head?.value(forHTTPHeaderField: "X-Number") == "\(number)"
            && cached?.data == body(number, count) && cached?.userInfo?["n"] as? Int == number
    }

    @Test(
        "a full cache whose every response was hit and read takes its capacity, a quarter more and 8 MiB at most",
        arguments: nightly([50, 500, 5_000], else: [500]))
    func resident(body: Int) throws {
        let capacity = 16 << 20
        let child = try ChildRun("SessionStress", ["held", "\(capacity)", "\(body)", "2"])
        #expect(child.status == 0, "\(child.output)\(child.errors)")
        let lines = child.output.split(separator: "\n")
        #expect(lines.count == 4, "\(child.output)")
        for line in lines.dropLast() {
            let numbers = line.split { !$0.isNumber && $0 != "-" }.compactMap { Int($0) }
            try #require(numbers.count == 2, "\(line)")
            #expect(numbers.allSatisfy { $0 <= capacity + capacity / 4 + 8 << 20 }, "\(child.output)")
        }
    }

    @Test("a lower memory capacity gives back what was decoded, before the setter returns") func lowered() throws {
        let cache = try Self.filled(0..<5_000, body: 40, capacity: 64 << 20)
        for number in 0..<5_000 { _ = cache.cachedResponse(for: try Self.request(number))?.response }
        #expect(cache.decoded.bytesInUse > 7 << 20)
        let capacity = 3 << 20
        cache.memoryCapacity = capacity
        #expect(cache.decoded.bytesInUse <= capacity - cache.currentMemoryUsage + capacity / 16 * 3 + 4 << 20)
        #expect(Self.isRight(cache.cachedResponse(for: try Self.request(4_999)), 4_999, 40))
    }

    @Test("beyond the limit responses are forgotten, and made again as they were, also by those who hold one")
    func forgotten() throws {
        let count = 12_000
        let cache = try Self.filled(0..<count, body: 40, capacity: 16 << 20)
        let capacity = 16 << 20
        let limit = capacity - cache.currentMemoryUsage + 7 << 20
        let first = try #require(cache.cachedResponse(for: Self.request(0)))
        let head = first.response
        for number in 0..<count {
            let cached = cache.cachedResponse(for: try Self.request(number))
            #expect(Self.isRight(cached, number, 40), "\(number)")
            // What one lookup adds may be above it, until the next one.
            #expect(cache.decoded.bytesInUse <= limit + 8_192)
        }
        #expect(cache.decoded.bytesInUse > limit / 2, "what fits is kept")
        #expect(first.response !== head, "it was forgotten")
        #expect(Self.isRight(first, 0, 40))
    }

    @Test("what entries leave of the capacity is room for the decoded, until entries come") func shared() throws {
        let (count, capacity) = (12_000, 16 << 20)
        let cache = try Self.filled(0..<count, body: 40, capacity: capacity)
        for number in 0..<count { _ = cache.cachedResponse(for: try Self.request(number))?.response }
        let before = cache.decoded.bytesInUse
        #expect(before > 8 << 20, "more than beside a full tier")
        #expect(cache.currentMemoryUsage + before <= capacity + capacity / 16 * 3 + 4 << 20)
        var number = count
        while cache.currentMemoryUsage < capacity * 15 / 16 {
            _ = try Self.filled(number..<number + 1, body: 20_000, in: cache)
            number += 1
            #expect(
                cache.currentMemoryUsage + cache.decoded.bytesInUse <= capacity + capacity / 16 * 3 + 4 << 20,
                "\(number)")
        }
        #expect(cache.decoded.bytesInUse < before)
    }

    @Test("below the limit nothing is forgotten, and hits get one object") func kept() throws {
        let cache = try Self.filled(0..<1_000, body: 2_000, capacity: 16 << 20)
        var objects: [ObjectIdentifier] = []
        for _ in 0..<2 {
            for number in 0..<1_000 {
                let cached = try #require(cache.cachedResponse(for: Self.request(number)))
                #expect(Self.isRight(cached, number, 2_000))
                objects.append(ObjectIdentifier(cached.response))
            }
        }
        #expect(objects[..<1_000] == objects[1_000...])
    }

    @Test(
        "what a caller does with his body is his alone, lent or copied, also after the cache forgot its own",
        arguments: [40, 4_000])
    func values(count: Int) throws {
        let cache = try Self.filled(0..<1, body: count, capacity: 16 << 20)
        let request = try Self.request(0)
        var mine = try #require(cache.cachedResponse(for: request)).data
        for kept in cache.store.tiers.memory.takeHandouts(from: 1) { (kept.attachment as? DecodedEntry)?.forget() }
        mine[0] ^= 0xFF
        #expect(Self.isRight(cache.cachedResponse(for: request), 0, count))
        #expect(mine != Self.body(0, count))
    }

    @Test("what leaves the cache is no longer counted") func counted() throws {
        let cache = try Self.filled(0..<500, body: 3_000, capacity: 16 << 20)
        for number in 0..<500 { _ = cache.cachedResponse(for: try Self.request(number))?.response }
        #expect(cache.decoded.bytesInUse > 500 * 1_000)
        cache.removeAllCachedResponses()
        cache.store.tiers.memory.finishReleases()
        #expect(cache.decoded.bytesInUse == 0)
    }

    @Test("threads that hit while others make the tier forget get right answers") func threads() throws {
        let count = 2_000
        let cache = try Self.filled(0..<count, body: 30, capacity: 4 << 20)
        let requests = try (0..<count).map(Self.request)
        let wrong = Atomic<Int>(0)
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            var number = thread
            for step in 0..<5_000 {
                number = (number &* 1_103 &+ 7) % count
                if !Self.isRight(cache.cachedResponse(for: requests[number]), number, 30) {
                    wrong.add(1, ordering: .relaxed)
                }
                if step % 16 == 0 {
                    for kept in cache.store.tiers.memory.takeHandouts(from: 64) {
                        (kept.attachment as? DecodedEntry)?.forget()
                    }
                }
            }
        }
        #expect(wrong.load(ordering: .relaxed) == 0)
    }
}
