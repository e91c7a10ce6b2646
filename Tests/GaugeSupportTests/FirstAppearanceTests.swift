import GaugeSupport
import Testing

@Suite("Order of first appearance") struct FirstAppearanceTests {
    @Test("groups and their elements keep the order in which they first appear") func grouped() {
        let groups = [5, 12, 31, 7, 15, 2].grouped { $0 % 10 }
        #expect(groups.map(\.key) == [5, 2, 1, 7])
        #expect(groups.map(\.elements) == [[5, 15], [12, 2], [31], [7]])
        #expect([Int]().grouped { $0 }.isEmpty)
    }

    @Test("each element is kept once, where it first appears") func once() {
        #expect(["b", "a", "b", "c", "a"].once == ["b", "a", "c"] && [Int]().once == [])
    }
}
