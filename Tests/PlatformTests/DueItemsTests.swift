import Testing

@testable import Platform

@Suite struct DueItemsTests {
    @Test("items are taken in the order in which they are due, those of one moment in the order in which they came")
    func order() {
        var items = DueItems<Int>()
        for (item, due) in [(1, 30), (2, 10), (3, 20), (4, 10), (5, 30), (6, 5)] as [(Int, UInt64)] {
            items.add(item, due: due)
        }
        var taken: [Int] = []
        while let item = items.takeDue(at: 30) { taken.append(item) }
        #expect(taken == [6, 2, 4, 3, 1, 5])
    }

    @Test("an item is due at its moment, and not one before") func moment() {
        var items = DueItems<Int>()
        items.add(1, due: 10)
        items.add(2, due: 11)
        #expect(items.nextDue == 10)
        #expect(items.takeDue(at: 9) == nil)
        #expect(items.takeDue(at: 10) == 1)
        #expect(items.nextDue == 11)
        #expect(items.takeDue(at: 10) == nil)
        #expect(items.takeDue(at: .max) == 2)
        #expect(items.nextDue == nil)
        #expect(items.takeDue(at: .max) == nil)
    }
}
