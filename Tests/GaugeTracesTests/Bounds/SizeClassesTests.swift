import GaugeSupport
import Testing

@testable import GaugeTraces

@Suite("Requests by size class") struct SizeClassesTests {
    @Test("the largest size times distance goes first, and which of equals does not depend on dropped hits")
    func dropping() {
        var random = SplitMix64(seed: 7)
        for _ in 0..<200 {
            let count = 400
            var sizes = SizeList()
            for _ in 0..<count { sizes.append([1, 2, 4, 8][Int(random.next() % 4)]) }
            var eager = SizeClasses(leastLimit: 1)
            var never = SizeClasses(leastLimit: .max)
            // Every second request is the end of an interval, in random order.
            var ends = Array(stride(from: 1, to: count, by: 2))
            var held: Set<Int> = []
            for now in 0..<count {
                held.remove(now)
                ends.removeAll { $0 <= now }
                guard !ends.isEmpty else { break }
                let end = ends.remove(at: Int(random.next() % UInt64(ends.count)))
                held.insert(end)
                eager.insert(end, size: sizes[end], at: now, sizes: sizes)
                never.insert(end, size: sizes[end], at: now, sizes: sizes)
                guard random.next() % 3 == 0 else { continue }
                let victim = eager.removeWorst(at: now, sizes: sizes)
                #expect(victim == never.removeWorst(at: now, sizes: sizes))
                let worst = held.map { sizes[$0] * ($0 - now) }.max()
                #expect(victim.map { sizes[$0] * ($0 - now) } == worst)
                if let victim { held.remove(victim) }
            }
        }
    }

    @Test("where nothing is held, there is nothing to remove") func empty() {
        var sizes = SizeList()
        for _ in 0..<3 { sizes.append(5) }
        var classes = SizeClasses()
        #expect(classes.removeWorst(at: 0, sizes: sizes) == nil)
        classes.insert(1, size: 5, at: 0, sizes: sizes)
        #expect(classes.removeWorst(at: 1, sizes: sizes) == nil, "request 1 has been answered")
        classes.insert(2, size: 5, at: 1, sizes: sizes)
        #expect(classes.removeWorst(at: 1, sizes: sizes) == 2)
    }
}
