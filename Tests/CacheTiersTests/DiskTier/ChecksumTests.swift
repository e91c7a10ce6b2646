import CSupport
import Testing

@Suite struct ChecksumTests {
    /// RFC 3720, appendix B.4.
    static let published: [([UInt8], UInt32)] = [
        ([UInt8](repeating: 0, count: 32), 0x8A91_36AA),
        ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43),
        ([UInt8](0..<32), 0x46DD_794E),
        ([UInt8]((0..<32).reversed()), 0x113F_DB5C),
        (Array("123456789".utf8), 0xE306_9283),
    ]

    @Test("published checksums are reproduced", arguments: published)
    func publishedChecksumsAreReproduced(_ bytes: [UInt8], _ expected: UInt32) {
        #expect(checksumOf(bytes) == expected)
        #expect(bytes.withUnsafeBytes { cs_crc32c_narrow(0, $0.baseAddress, $0.count) } == expected)
        #expect(bytes.withUnsafeBytes { cs_crc32c_portable(0, $0.baseAddress, $0.count) } == expected)
    }

    @Test("instructions and tables agree at every length and start")
    func instructionsAndTablesAgreeAtEveryLengthAndStart() {
        let bytes = (0..<8000).map { UInt8(truncatingIfNeeded: scrambled(UInt64($0))) }
        bytes.withUnsafeBytes { all in
            for length in Array(0..<900) + [1023, 1024, 3071, 3072, 3073, 4096, 7000] {
                let part = UnsafeRawBufferPointer(rebasing: all[(length % 16)..<(length % 16 + length)])
                let expected = cs_crc32c_portable(UInt32(length), part.baseAddress, part.count)
                #expect(cs_crc32c(UInt32(length), part.baseAddress, part.count) == expected, "length \(length)")
                #expect(cs_crc32c_narrow(UInt32(length), part.baseAddress, part.count) == expected, "length \(length)")
            }
        }
    }

    @Test("a checksum continues where another stopped") func aChecksumContinuesWhereAnotherStopped() {
        let bytes = (0..<5000).map { UInt8(truncatingIfNeeded: scrambled(UInt64($0))) }
        bytes.withUnsafeBytes { all in
            let first = cs_crc32c(0, all.baseAddress, 1234)
            let rest = UnsafeRawBufferPointer(rebasing: all[1234...])
            #expect(cs_crc32c(first, rest.baseAddress, rest.count) == cs_crc32c(0, all.baseAddress, all.count))
        }
    }
}
