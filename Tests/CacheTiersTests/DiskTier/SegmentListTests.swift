import Testing

@testable import CacheTiers

@Suite struct SegmentListTests {
    @Test("a list becomes as long as the segment that is changed or exchanged last, and no longer by reading one")
    func growing() {
        var list = SegmentList(count: 2)
        #expect(!list[2].isSlotTorn && list.count == 2)
        list[1].isSlotTorn = true
        list.swapAt(0, 1)
        #expect(list.count == 2)
        list.swapAt(2, 0)
        #expect(list.count == 3 && list[2].isSlotTorn && !list[0].isSlotTorn)
        list.swapAt(1, 3)
        #expect(list.count == 4)
        list[4].isSlotTorn = true
        #expect(list.count == 5 && list[4].isSlotTorn)
    }
}
