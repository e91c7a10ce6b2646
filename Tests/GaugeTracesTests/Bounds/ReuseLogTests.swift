import Testing

@testable import GaugeTraces

@Suite("Log of reuses")
struct ReuseLogTests {
    @Test("a sum of bytes stops at the largest number, and one of hits does not")
    func sums() {
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

    @Test("MIN counts bytes up to the largest number")
    func minimum() {
        var log = ReuseLog()
        var past = ReuseLog.Past()
        for _ in 0..<5 { log.note(&past, object: 0, size: 1 << 61) }
        #expect(log.hitsOfMIN(entries: 1) == HitSum(hits: 4, bytes: .max))
        #expect(log.infinite == HitSum(hits: 4, bytes: .max) && log.oneSize == .all(1 << 61))
    }

    @Test("a response that keeps the stored one leaves its reuse to the next request, and no other does")
    func kept() {
        for (isKept, previous) in [(true, [0, 0, 1]), (false, [0, 0, 0])] as [(Bool, [UInt32])] {
            var log = ReuseLog()
            var past = ReuseLog.Past()
            log.note(&past, object: 0, size: 5)
            log.note(&past, object: 0, size: 5, mayBeAnswered: false, expiry: nil, isKept: isKept)
            log.note(&past, object: 0, size: 5)
            #expect(log.previous == previous)
        }
    }
}
