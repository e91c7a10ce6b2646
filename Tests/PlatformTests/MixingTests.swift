import Platform
import Testing

@Suite struct MixingTests {
    @Test("FNV-1a gives the published values") func fnv() {
        let published: [(String, UInt64)] = [
            ("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8),
        ]
        for (text, hash) in published { #expect(fnv1a(text.utf8) == hash) }
    }
}
