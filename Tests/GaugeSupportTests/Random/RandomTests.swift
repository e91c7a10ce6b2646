import Testing

@testable import GaugeSupport

@Suite("Random numbers") struct RandomTests {
    @Test("SplitMix64 gives the published sequence") func splitMix64GivesThePublishedSequence() {
        // The values of the authors' C program for seed 1234567.
        var random = SplitMix64(seed: 1_234_567)
        let expected: [UInt64] = [
            6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
        ]
        #expect(expected.map { _ in random.next() } == expected)
    }

    @Test("Xoshiro256 gives the published sequence") func xoshiro256GivesThePublishedSequence() {
        // The values of the authors' C program for the state 1, 2, 3, 4.
        var random = Xoshiro256(seed: 0)
        (random.s0, random.s1, random.s2, random.s3) = (1, 2, 3, 4)
        let expected: [UInt64] = [
            11520, 0, 1_509_978_240, 1_215_971_899_390_074_240, 1_216_172_134_540_287_360, 607_988_272_756_665_600,
        ]
        #expect(expected.map { _ in random.next() } == expected)
    }

    @Test("one seed gives different numbers for different uses") func oneSeedGivesDifferentNumbersToDifferentUses() {
        var keys = Xoshiro256(seed: 7, "keys")
        var sizes = Xoshiro256(seed: 7, "sizes")
        var keysOfNeighbour = Xoshiro256(seed: 8, "keys")
        let first = keys.next()
        #expect(first != sizes.next())
        #expect(first != keysOfNeighbour.next())
        #expect(
            first
                == {
                    var again = Xoshiro256(seed: 7, "keys"); return again.next()
                }())
    }

    @Test("bounded numbers stay below their bound", arguments: [1, 2, 3, 10, 1000, UInt64.max])
    func boundedNumbersStayBelowTheirBound(bound: UInt64) {
        var random = Xoshiro256(seed: bound)
        for _ in 0..<1000 { #expect(random.next(below: bound) < bound) }
    }

    /// Below three quarters of 2^64, multiples of three would be half of all if nothing were drawn again.
    @Test("numbers below a large bound are as even") func largeBound() {
        var random = Xoshiro256(seed: 6)
        let multiples = (0..<9_000).count { _ in random.next(below: 3 << 62).isMultiple(of: 3) }
        // A standard deviation is 45.
        #expect(abs(multiples - 3_000) < 230, "\(multiples)")
    }

    @Test("bounded numbers are evenly distributed") func boundedNumbersAreEven() {
        var random = Xoshiro256(seed: 5)
        var counts = [Int](repeating: 0, count: 7)
        for _ in 0..<70_000 { counts[Int(random.next(below: 7))] += 1 }
        // Six degrees of freedom: chi square is below 22.5 in 999 of 1,000 cases.
        let chiSquare = counts.reduce(0.0) { $0 + (Double($1) - 10_000) * (Double($1) - 10_000) / 10_000 }
        #expect(chiSquare < 22.5, "\(counts)")
    }
}
