import Testing

@testable import GaugeSupport
@testable import GaugeTraces

@Suite("Payload checks") struct PayloadTests {
    // Lengths around the header and around stamps.
    static let counts = [0, 1, 7, 8, 9, 31, 32, 33, 39, 40, 63, 64, 65, 257, 511, 512, 519, 520, 521, 1_031, 1_032]

    private func body(_ count: Int, key: UInt64 = 17, version: UInt64 = 3) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        bytes.withUnsafeMutableBytes { Payload.write($0, key: key, version: version) }
        return bytes
    }

    private func fault(_ bytes: [UInt8], key: UInt64 = 17, version: UInt64 = 3, count: Int) -> PayloadFault? {
        bytes.withUnsafeBytes { Payload.fault(in: $0, key: key, version: version, count: count) }
    }

    @Test("an unchanged body is correct", arguments: counts)
    func aBodyAsWrittenIsRight(count: Int) {
        #expect(fault(body(count), count: count) == nil)
    }

    @Test("every single flipped bit is detected", arguments: counts)
    func everySingleFlippedBitIsNoticed(count: Int) {
        var bytes = body(count)
        for index in bytes.indices {
            for bit in 0..<8 {
                bytes[index] ^= 1 << bit
                #expect(fault(bytes, count: count) == .damaged, "bit \(bit) of byte \(index)")
                bytes[index] ^= 1 << bit
            }
        }
    }

    @Test("every pair of flipped bits in a short body is detected") func everyPairOfFlippedBitsInAShortBodyIsNoticed() {
        var bytes = body(48)
        var missed = 0
        for first in 0..<bytes.count * 8 {
            bytes[first / 8] ^= 1 << (first % 8)
            for second in 0..<first {
                bytes[second / 8] ^= 1 << (second % 8)
                if fault(bytes, count: 48) == nil { missed += 1 }
                bytes[second / 8] ^= 1 << (second % 8)
            }
            bytes[first / 8] ^= 1 << (first % 8)
        }
        #expect(missed == 0)
    }

    @Test("exchanged words are detected") func exchangedWordsAreNoticed() {
        var bytes = body(257)
        for offset in 0..<8 { bytes.swapAt(64 + offset, 96 + offset) }
        #expect(fault(bytes, count: 257) == .damaged)
    }

    @Test("an intact body of another key or version is named") func anIntactBodyOfAnotherKeyOrVersionIsNamed() {
        #expect(fault(body(100, key: 18), count: 100) == .otherKey(18, version: 3))
        #expect(fault(body(100, version: 2), count: 100) == .otherVersion(2, expected: 3))
        // Too short for a name, but still not mistaken for another body.
        #expect(fault(body(31, version: 2), count: 31) == .damaged)
        #expect(fault(body(8, key: 18), count: 8) == .damaged)
    }

    @Test("a body of another length is detected") func aBodyOfAnotherLengthIsNoticed() {
        #expect(fault(body(100), count: 101) == .wrongLength(100, expected: 101))
        #expect(fault(Array(body(100).dropLast()), count: 100) == .wrongLength(99, expected: 100))
        #expect(fault(body(100) + [0], count: 100) == .wrongLength(101, expected: 100))
        #expect(fault(Array(body(100).dropLast()), count: 99) == .damaged)
        #expect(fault([], count: 100) == .wrongLength(0, expected: 100))
        #expect(fault(body(10), count: 9) == .wrongLength(10, expected: 9))
    }

    @Test("a body with halves of two versions is detected") func halvesOfTwoVersionsAreNoticed() {
        let torn = body(4096, version: 3)[..<2048] + body(4096, version: 4)[2048...]
        #expect(fault(Array(torn), count: 4096) == .damaged)
        #expect(fault(Array(torn), version: 4, count: 4096) == .damaged)
    }

    @Test(
        "a sector of another version in the middle of a body is noticed, wherever it is", arguments: [0, 8, 500, 512])
    func tornSector(shift: Int) {
        let count = 300_000
        let (one, other) = (body(count), body(count, version: 4))
        for sector in stride(from: 1_024 + shift, to: count - 512, by: 7 * 512) {
            var torn = one
            torn.replaceSubrange(sector..<sector + 512, with: other[sector..<sector + 512])
            #expect(fault(torn, count: count) == .damaged, "at \(sector)")
        }
    }

    @Test("a sector of a body that begins at the same place of the pattern is noticed by its stamp")
    func tornSectorOfTheSamePhase() throws {
        let phase = PayloadFiller(key: 17, version: 3).phase
        let version = try #require((4...2_000_000).first { PayloadFiller(key: 17, version: $0).phase == phase })
        let (one, other) = (body(4_096), body(4_096, version: version))
        for sector in stride(from: 512, to: 4_096 - 512, by: 8) {
            var torn = one
            torn.replaceSubrange(sector..<sector + 512, with: other[sector..<sector + 512])
            #expect(fault(torn, count: 4_096) == .damaged, "at \(sector)")
        }
    }

    @Test("a body is lent as it is written, whatever was lent before it") func lentBodies() {
        let buffer = PayloadBuffer(capacity: 200_000)
        var random = Xoshiro256(seed: 3, "bodies")
        for _ in 0..<300 {
            let (key, version) = (random.next(below: 50), random.next(below: 5))
            let count =
                switch random.next(below: 4) {
                case 0: Int(random.next(below: 200_001))
                case 1: Int(random.next(below: 2_000))
                default: Self.counts[Int(random.next(below: UInt64(Self.counts.count)))]
                }
            let lent = buffer.body(key: key, version: version, count: count)
            #expect(Array(lent) == body(count, key: key, version: version), "key \(key), \(count) bytes")
        }
    }

    @Test("the label alone determines key and version") func theLabelAloneTellsKeyAndVersion() {
        body(64).withUnsafeBytes {
            #expect(Payload.isLabelled($0, key: 17, version: 3))
            #expect(!Payload.isLabelled($0, key: 17, version: 4))
            #expect(!Payload.isLabelled($0, key: 16, version: 3))
        }
        body(31).withUnsafeBytes { #expect(!Payload.isLabelled($0, key: 17, version: 3)) }
    }

    @Test("a buffer cuts off bytes that do not fit") func aBufferCutsWhatDoesNotFit() {
        let buffer = PayloadBuffer(capacity: 64)
        #expect(buffer.body(key: 1, version: 1, count: 100).count == 64)
        #expect(buffer.body(key: 1, version: 1, count: -1).count == 0)
        let body = buffer.body(key: 1, version: 1, count: 50)
        #expect(Payload.fault(in: body, key: 1, version: 1, count: 50) == nil)
    }
}
