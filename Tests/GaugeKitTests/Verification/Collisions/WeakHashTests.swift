import Testing

@testable import GaugeKit

@Suite("Weak hashes of URLs") struct WeakHashTests {
    private func hash(_ name: String, _ text: String) throws -> UInt32 {
        let hash = try #require(WeakHash.all.first { $0.name == name })
        return Array(text.utf8).withUnsafeBytes { hash.value($0) }
    }

    @Test(
        "each has its published values",
        arguments: [
            ("FNV-1a 64, low half", "a", 0x8601_EC8C), ("FNV-1a 64, high half", "a", 0xAF63_DC4C),
            ("FNV-1a 64, folded", "a", 0xAF63_DC4C ^ 0x8601_EC8C), ("FNV-1a 32", "a", 0xE40C_292C),
            ("FNV-1 32", "a", 0x050C_5D7E), ("hash times 31", "Aa", 2_112), ("hash times 31", "BB", 2_112),
            ("djb2", "a", 177_670), ("djb2 with exclusive or", "a", 177_604), ("sdbm", "a", 97),
            ("one at a time", "a", 0xCA2E_9442), ("CRC-32", "123456789", 0xCBF4_3926),
            ("CRC-32C", "123456789", 0xE306_9283), ("Adler-32", "Wikipedia", 0x11E6_0398),
            ("MurmurHash3", "abc", 0xB3DD_93FA), ("MurmurHash3", "abcd", 0x43ED_676A),
            ("MD5, first 32 bits", "abc", 0x9001_5098), ("MD5, first 32 bits", "", 0xD41D_8CD9),
            ("SHA-1, first 32 bits", "abc", 0xA999_3E36), ("SHA-1, first 32 bits", "", 0xDA39_A3EE),
            ("SHA-256, first 32 bits", "abc", 0xBA78_16BF), ("SHA-256, first 32 bits", "", 0xE3B0_C442),
        ] as [(String, String, UInt32)])
    func values(name: String, text: String, value: UInt32) throws {
        #expect(try hash(name, text) == value)
    }

    @Test("the pairs found are different URLs of one length with the same hash") func pairs() throws {
        let fnv = try #require(WeakHash.all.first)
        let pairs = CollidingURLs(count: 1 << 17, seed: 3).pairs(fnv)
        #expect(!pairs.isEmpty)
        for (one, other) in pairs {
            #expect(one != other && one.utf8.count == other.utf8.count && one.utf8.count <= 55)
            #expect(try hash(fnv.name, one) == hash(fnv.name, other))
        }
    }

    @Test("the known pair of each hash has that hash") func knownPairs() throws {
        #expect(WeakHash.knownPairs.count == WeakHash.all.count)
        for (weak, (one, other)) in zip(WeakHash.all, WeakHash.knownPairs) {
            #expect(one.url != other.url)
            #expect(try hash(weak.name, one.url) == hash(weak.name, other.url), "\(weak.name)")
        }
    }
}
