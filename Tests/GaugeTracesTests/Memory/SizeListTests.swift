import Testing

@testable import GaugeTraces

@Suite("Sizes in 4 bytes each") struct SizeListTests {
    @Test("every size comes back, before and after the first that has no room in 32 bits") func roundTrip() {
        let sizes = [0, 1, 1 << 31, 1 << 32 - 1, 7, 1 << 32, 9, Int.max, 0]
        var list = SizeList()
        for (index, size) in sizes.enumerated() {
            list.append(size)
            #expect(list.count == index + 1)
            #expect((0...index).map { list[$0] } == Array(sizes[0...index]))
        }
    }
}
