import Testing

@testable import GaugeSupport

@Suite("Near names") struct NearNamesTests {
    @Test(
        "the distance of two names counts typing errors",
        arguments: [
            ("list", "list", 0), ("lsit", "list", 1), ("lst", "list", 1), ("", "list", 4), ("kitten", "sitting", 3),
            ("kitten", "sitting", 3),
            ("ilst", "list", 1), ("ab", "ba", 1), ("lits", "list", 1), ("badc", "abcd", 2), ("ca", "abc", 3),
        ])
    func theDistanceOfTwoNamesCountsTypingErrors(first: String, second: String, distance: Int) {
        #expect(NearNames.distance(Array(first), Array(second)) == distance)
    }

    @Test("near names of a very long name are found quickly") func nearNamesOfAVeryLongNameAreFoundQuickly() {
        #expect(NearNames.of(String(repeating: "a", count: 1_000_000), among: ["list", "run"]) == [])
    }

    @Test(
        "names that contain the wanted one come first, then those with few typing errors, each in the given order",
        arguments: [
            ("run", ["ran", "list", "rerun", "rum", "Run it"], ["rerun", "Run it", "ran"]),
            ("LIST", ["run", "list"], ["list"]),
            // One error in three letters: two in seven, and one in a name of one or two.
            ("abcdefg", ["abcdexy", "abcdxyz"], ["abcdexy"]), ("ab", ["ax", "xy"], ["ax"]),
            ("abcde", ["abcxy", "abcdx"], ["abcdx"]), ("", ["a"], []),
        ] as [(String, [String], [String])])
    func near(name: String, names: [String], near: [String]) {
        #expect(NearNames.of(name, among: names) == near)
        let question = near.isEmpty ? "" : "; did you mean \(near.joined(separator: " or "))?"
        #expect(NearNames.question(name, among: names) == question)
    }

    @Test("names are compared by their first 64 letters") func long() {
        let start = String(repeating: "a", count: 64)
        #expect(NearNames.of(start + "xyz", among: [start + "b", start.dropLast(32) + ""]) == [start + "b"])
    }
}
