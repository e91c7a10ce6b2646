import HTTPSemantics
import Testing

/// The values that real parsers get wrong, and what is right.
@Suite struct CacheControlEdgeCaseTests {
    @Test(
        "max-age is read as the RFC says",
        arguments: [
            ("max-age=3600", 3600), ("MAX-AGE=3600", 3600), (",,max-age=3600,", 3600), ("max-age=\"3600\"", 3600),
            ("max-age=1, x=\"max-age=9\"", 1), ("x=\"a\\\"b, no-store\", max-age=5", 5), ("max-age=003600", 3600),
            ("max-age=99999999999", 1 << 31), ("max-age=99999999999999999999", 1 << 31),
            ("max-age=999999999999999999999999999999999999999999999999", 1 << 31), ("max-age=9, max-age=1", 9),
            ("max-age=9, no-cache", 9),
        ] as [(String, Int64)])
    func number(value: String, expected: Int64) {
        #expect(CacheControl.parse(value).maxAge == .seconds(expected))
    }

    @Test(
        "a max-age that is no number is invalid, not absent",
        arguments: [
            "max-age =60", "max-age= 60", "max-age=-1", "max-age=60.0", "max-age=60a", "max-age='60'", "max-age=+60",
            "max-age=", "max-age", "max-age=\"60", "max-age=\"\"", "max-age=60 60", "max-age=\"6\"0",
        ])
    func invalid(value: String) {
        #expect(CacheControl.parse(value).maxAge == .invalid)
    }

    @Test(
        "text that is not a max-age directive leaves it absent",
        arguments: ["max-age:60", "a;max-age=5", "x=\"max-age=5\""])
    func absent(value: String) {
        #expect(CacheControl.parse(value) == CacheControl())
    }
}
