import TestSupport
import Testing

@testable import GaugeSupport
@testable import GaugeTraces

/// Compares bounds with an exhaustive search on short traces.
@Suite("Bounds on the hit ratio") struct BoundsTests {
    private func log(_ requests: [BestChoices.Request]) -> ReuseLog {
        var log = ReuseLog()
        var sizes: [Int: Int] = [:]
        var numbers: [Int: Int] = [:]
        var pasts: [Int: ReuseLog.Past] = [:]
        for request in requests {
            let number = numbers[request.object] ?? numbers.count
            numbers[request.object] = number
            let before = sizes.updateValue(request.size, forKey: request.object)
            log.note(
                &pasts[number, default: ReuseLog.Past()], object: number, size: request.size,
                isChanged: before != nil && before != request.size,
                now: request.now, mayBeAnswered: request.mayBeAnswered, expiry: request.expiry)
        }
        return log
    }

    /// Traces of up to nine requests for up to four objects.
    private func traces(
        seed: UInt64, count: Int, _ change: (inout BestChoices.Request, inout SplitMix64) -> Void
    ) -> [[BestChoices.Request]] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { _ in
            let objects = 2 + random.next() % 3
            var now = 0.0
            return (0..<(4 + random.next() % 6)).map { _ in
                now += Double(random.next() % 3)
                var request = BestChoices.Request(object: Int(random.next() % objects), now: now)
                change(&request, &random)
                return request
            }
        }
    }

    @Test("Belady's MIN is what trying every choice finds, where all bodies are of one size", arguments: [1, 2, 3])
    func minIsExact(capacity: Int) {
        for trace in traces(seed: 11, count: nightly(300, else: 100), { _, _ in }) {
            let best = BestChoices.best(trace, capacity: capacity)
            #expect(log(trace).turned().hitsOfMIN(entries: capacity).hits == best, "\(trace)")
            let bounds = Bounds(log(trace), capacity: .bytes(capacity))
            #expect(bounds?.optimum?.hits == best && bounds?.footprint?.hits ?? 0 >= best)
        }
    }

    @Test("where all bodies are of one size, PFOO-L takes the shortest intervals, and Belady by size is MIN")
    func oneSize() throws {
        var random = SplitMix64(seed: 15)
        for round in 0..<nightly(60, else: 20) {
            let size = [0, 1, 3, 4096][round % 4]
            let objects = (0..<200).map { _ in Int(random.next() % (1 + random.next() % 40)) }
            let log = log(objects.map { BestChoices.Request(object: $0, size: size) })
            for capacity in [0, 1, 2, 3, 10, 4095, 4096, 5 * 4096, 100 * 4096] {
                var last: [Int: Int] = [:]
                let lengths = objects.enumerated().compactMap { at, object in
                    last.updateValue(at, forKey: object).map { at - $0 }
                }
                var expected = HitSum()
                var left = capacity * 199
                for length in size <= capacity ? lengths.sorted() : [] {
                    guard left >= size * length else {
                        expected.bytes += left / length
                        break
                    }
                    left -= size * length
                    expected.add(size)
                }
                let bounds = try #require(Bounds(log, capacity: .bytes(capacity)))
                #expect(log.footprintBound(capacity: capacity) == expected, "\(size) \(capacity) \(objects)")
                #expect(bounds.optimum == bounds.beladyBySize)
                let heuristic = log.turned().hitsOfBeladyBySize(capacity: capacity)
                #expect(heuristic == bounds.optimum, "\(size) \(capacity) \(objects)")
            }
        }
    }

    @Test(
        "no choice beats PFOO-L, in hits or in bytes, and none that knows the future is beaten by a heuristic",
        arguments: [1, 3, 5, 8])
    func footprintBounds(capacity: Int) throws {
        for trace in traces(
            seed: 12, count: nightly(200, else: 30), { request, _ in request.size = [1, 2, 3, 5][request.object] })
        {
            let bounds = try #require(Bounds(log(trace), capacity: .bytes(capacity)))
            let hits = BestChoices.best(trace, capacity: capacity)
            let bytes = BestChoices.best(trace, capacity: capacity, inBytes: true)
            let footprint = try #require(bounds.footprint)
            let heuristic = try #require(bounds.beladyBySize)
            #expect(footprint.hits >= hits && footprint.bytes >= bytes, "\(trace)")
            #expect(heuristic.hits <= hits && heuristic.bytes <= bytes, "\(trace)")
            #expect(bounds.infinite.hits >= hits && bounds.infinite.bytes >= bytes)
        }
    }

    @Test("no choice beats the bounds where responses expire, change, or may not be stored or asked for")
    func boundsHoldUnderHTTP() throws {
        let traces = traces(seed: 13, count: nightly(400, else: 50)) { request, random in
            request.size = random.next() % 8 == 0 ? 2 : 1
            request.mayBeAnswered = random.next() % 8 != 0
            request.expiry = random.next() % 8 == 0 ? nil : request.now + Double(random.next() % 6)
        }
        for trace in traces {
            for capacity in [1, 2, 3, 100] {
                let bounds = try #require(Bounds(log(trace), capacity: .bytes(capacity)))
                let hits = BestChoices.best(trace, capacity: capacity)
                let bytes = BestChoices.best(trace, capacity: capacity, inBytes: true)
                #expect(bounds.infinite.hits >= hits && bounds.infinite.bytes >= bytes, "\(trace)")
                let footprint = try #require(bounds.footprint)
                #expect(footprint.hits >= hits && footprint.bytes >= bytes, "\(capacity) \(trace)")
                if let optimum = bounds.optimum { #expect(optimum.hits >= hits, "\(capacity) \(trace)") }
            }
        }
    }

    @Test("a cache without limits has exactly the most hits, also where responses expire") func infiniteIsExact() {
        let traces = traces(seed: 14, count: nightly(400, else: 100)) { request, random in
            request.expiry = request.now + Double(random.next() % 7)
        }
        for trace in traces {
            #expect(log(trace).infinite.hits == BestChoices.best(trace, capacity: 100), "\(trace)")
        }
    }

    @Test("objects that never expire stay fresh when others begin to expire, and count by the same rules")
    func lateExpiry() {
        let traces = traces(seed: 16, count: 400) { request, random in
            request.expiry =
                [.infinity, .infinity, nil, request.now + Double(random.next() % 7)][Int(random.next() % 4)]
            request.mayBeAnswered = random.next() % 8 != 0
        }
        for trace in traces {
            // An object that expires before all others and is never requested again.
            let early = [BestChoices.Request(object: 9, expiry: 0)] + trace
            #expect(log(trace).infinite == log(early).infinite, "\(trace)")
            let next = log(trace).turned().next.map { $0 == 0 ? 0 : $0 + 1 }
            #expect(next == Array(log(early).turned().next.dropFirst()), "\(trace)")
            #expect(log(trace).infinite.hits >= BestChoices.best(trace, capacity: 100), "\(trace)")
        }
    }

    @Test("a response that may not be stored ends the stored one unless it leaves it", arguments: [false, true])
    func kept(isKept: Bool) {
        var (log, past) = (ReuseLog(), ReuseLog.Past())
        log.note(&past, object: 0, size: 1)
        log.note(&past, object: 0, size: 1, mayBeAnswered: false, expiry: nil, isKept: isKept)
        log.note(&past, object: 0, size: 1)
        #expect(log.infinite.hits == (isKept ? 1 : 0))
    }

    @Test("what has expired is no hit for anybody") func expired() throws {
        let trace = [0.0, 9, 10, 19, 20].map { BestChoices.Request(object: 0, now: $0, expiry: $0 + 10) }
        let bounds = try #require(Bounds(log(trace), capacity: .bytes(10)))
        #expect(bounds.hasExpiry && bounds.infinite.hits == 2)
        #expect(bounds.optimum?.hits == 2 && bounds.footprint?.hits == 2)
    }

    @Test("an object larger than the capacity is no hit, and one of no bytes always can be") func extremes() throws {
        let trace = [10, 0, 10, 0].map { BestChoices.Request(object: $0, size: $0) }
        let bounds = try #require(Bounds(log(trace), capacity: .bytes(5)))
        #expect(bounds.footprint == HitSum(hits: 1, bytes: 0) && bounds.beladyBySize == HitSum(hits: 1, bytes: 0))
        #expect(bounds.infinite == HitSum(hits: 2, bytes: 10))
        let empty = try #require(Bounds(ReuseLog(), capacity: .bytes(0)))
        #expect(empty.infinite == HitSum() && empty.optimum == HitSum())
        let huge = [Int.max, Int.max].map { BestChoices.Request(object: 0, size: $0) }
        #expect(try #require(Bounds(log(huge), capacity: .bytes(.max))).footprint == HitSum(hits: 1, bytes: .max))
    }

    @Test("no cache that was replayed beats its bounds", arguments: [1, 2, 3] as [UInt64])
    func realCaches(seed: UInt64) throws {
        var keys = ZipfKeys(objects: 500, exponent: 0.8, seed: seed)
        var requests: [BestChoices.Request] = []
        var lru = ExactLRU(capacity: .bytes(2_000_000, largest: 2_000_000))
        let sizes = BodySizes.webLike(seed: seed)
        var sum = HitSum()
        for _ in 0..<5_000 {
            let key = keys.next()
            let size = sizes.size(of: key)
            requests.append(BestChoices.Request(object: Int(key), size: size))
            if lru.access(key, size: size) { sum.add(size) }
        }
        let bounds = try #require(Bounds(log(requests), capacity: .bytes(2_000_000)))
        let footprint = try #require(bounds.footprint)
        let heuristic = try #require(bounds.beladyBySize)
        #expect(sum.hits < heuristic.hits && heuristic.hits <= footprint.hits && footprint.hits < bounds.infinite.hits)
        #expect(sum.bytes < footprint.bytes && footprint.bytes < bounds.infinite.bytes)
    }

    @Test("the set of indices knows its largest, whatever was added and removed") func orderedIndices() {
        var random = SplitMix64(seed: 3)
        for limit in [1, 64, 65, 5000] {
            var indices = OrderedIndices(limit: limit)
            var model: Set<Int> = []
            for _ in 0..<2000 {
                let number = Int(random.next() % UInt64(limit))
                #expect(indices.contains(number) == model.contains(number))
                if model.remove(number) != nil {
                    indices.remove(number)
                } else {
                    model.insert(number)
                    indices.insert(number)
                }
                #expect(indices.largest == model.max() && indices.count == model.count)
            }
        }
    }
}
