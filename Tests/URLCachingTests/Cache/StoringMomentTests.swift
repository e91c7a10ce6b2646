import Testing

@testable import URLCaching

@Suite struct StoringMomentTests {
    @Test(
        "a moment is told in whole microseconds, the nearest",
        arguments: [
            (0, 0), (1, 1_000_000), (1.25, 1_250_000), (0.000_000_6, 1), (0.000_000_4, 0), (-0.000_000_6, -1),
            (1_795_000_000.5, 1_795_000_000_500_000), (1e300, .max), (-1e300, .min), (.nan, .min),
        ] as [(Double, Int64)])
    func microseconds(seconds: Double, expected: Int64) {
        #expect(Date(timeIntervalSince1970: seconds).storedAt == expected)
    }
}
