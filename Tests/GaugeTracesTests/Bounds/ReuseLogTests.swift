import Testing

@testable import GaugeTraces

@Suite("Log of reuses") struct ReuseLogTests {
    @Test("a sum of bytes stops at the largest number, and one of hits does not") func sums() {
        var sum = HitSum()
        sum.add(7)
        sum.add(5, times: 3)
        #expect(sum == HitSum(hits: 4, bytes: 22))
        sum.add(1 << 62, times: 2)
        #expect(sum == HitSum(hits: 6, bytes: .max))
        sum.add(1)
        #expect(sum == HitSum(hits: 7, bytes: .max))
        sum = HitSum()
        sum.add(.max)
        sum.add(.max)
        #expect(sum == HitSum(hits: 2, bytes: .max))
    }

    @Test("MIN counts bytes up to the largest number") func minimum() {
        var log = ReuseLog()
        var past = ReuseLog.Past()
        for _ in 0..<5 { log.note(&past, object: 0, size: 1 << 61) }
        #expect(log.turned().hitsOfMIN(entries: 1) == HitSum(hits: 4, bytes: .max))
        #expect(log.infinite == HitSum(hits: 4, bytes: .max) && log.oneSize == .all(1 << 61))
    }

    @Test("a response that keeps the stored one leaves its reuse to the next request, and no other does") func kept() {
        for (isKept, previous) in [(true, [0, 0, 1]), (false, [0, 0, 0])] as [(Bool, [UInt32])] {
            var log = ReuseLog()
            var past = ReuseLog.Past()
            log.note(&past, object: 0, size: 5)
            log.note(&past, object: 0, size: 5, mayBeAnswered: false, expiry: nil, isKept: isKept)
            log.note(&past, object: 0, size: 5)
            #expect(log.previous == previous)
        }
    }

    /// A log of requests for these objects, of one size.
    private func log(_ objects: [Int]) -> ReuseLog {
        var log = ReuseLog()
        var pasts = Array(repeating: ReuseLog.Past(), count: (objects.max() ?? 0) + 1)
        for object in objects { log.note(&pasts[object], object: object, size: 5) }
        return log
    }

    @Test("links turned around lead from each request to the next for its object") func turned() {
        let log = log([0, 1, 0, 2, 0, 1, 3])
        #expect(log.previous == [0, 0, 1, 0, 3, 2, 0])
        #expect(log.turned().next == [2, 5, 4, 0, 0, 0, 0])
        #expect(log.previous == [0, 0, 1, 0, 3, 2, 0], "a log that is still used stays as it is")
        #expect(ReuseLog().turned().count == 0)
    }

    @Test("an entry takes the least that its object had since it was last removed or changed")
    func footprints() throws {
        for small in [1, 5 << 32] {
            var log = ReuseLog()
            var past = ReuseLog.Past()
            for size in [1, 1_000, 1_000, 1_000] { log.note(&past, object: 0, size: small * size) }
            let bounds = try #require(Bounds(log, capacity: .bytes(10 * small)))
            let all = HitSum(hits: 3, bytes: 3_000 * small)
            #expect(bounds.footprint == all && bounds.beladyBySize == all && bounds.optimum == nil)
        }
        var log = ReuseLog()
        var past = ReuseLog.Past()
        log.note(&past, object: 0, size: 1)
        for _ in 0..<3 { log.note(&past, object: 0, size: 1_000, isChanged: log.count == 1) }
        let bounds = try #require(Bounds(log, capacity: .bytes(10)))
        #expect(bounds.footprint == HitSum() && bounds.optimum == HitSum())
    }

    @Test("a log that is not used elsewhere is turned around in its own memory") func inPlace() {
        let log = log([0, 1, 0, 1])
        let links = log.previous.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
        let next = (consume log).turned().next
        #expect(next.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } == links)
        #expect(next == [2, 3, 0, 0])
    }

    @Test("a log never moves while it grows, since a copy would take as much memory again") func growsInPlace() {
        var log = ReuseLog()
        var past = ReuseLog.Past()
        log.note(&past, object: 0, size: 5)
        #expect(log.previous.capacity >= ReuseLog.longest)
    }
}
