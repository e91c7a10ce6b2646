import Platform
import Testing

@Suite struct MixingTests {
    @Test("FNV-1a gives the published values")
    func fnv() {
        let published: [(String, UInt64)] = [
            ("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8),
        ]
        for (text, hash) in published { #expect(fnv1a(text.utf8) == hash) }
    }

    @Test("SplitMix64 from 1,234,567 gives the published sequence")
    func splitMix() {
        var state: UInt64 = 1_234_567
        let numbers = (0..<5).map { _ in
            state &+= splitMixStep
            return splitMixed(state)
        }
        #expect(
            numbers == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
            ])
    }
}
