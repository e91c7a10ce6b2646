import Testing

@testable import GaugeSupport

@Suite("Near names")
struct NearNamesTests {
    @Test(
        "the distance of two names counts typing errors",
        arguments: [
            ("list", "list", 0), ("lsit", "list", 1), ("lst", "list", 1), ("", "list", 4), ("kitten", "sitting", 3),
        ])
    func theDistanceOfTwoNamesCountsTypingErrors(first: String, second: String, distance: Int) {
        #expect(NearNames.distance(Array(first), Array(second)) == distance)
    }

    @Test("near names of a very long name are found quickly") func nearNamesOfAVeryLongNameAreFoundQuickly() {
        #expect(NearNames.of(String(repeating: "a", count: 1_000_000), among: ["list", "run"]) == [])
    }
}
