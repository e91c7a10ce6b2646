import DiskSimulation
import Platform
import Testing

@testable import CacheTiers

/// Reading one record, and the numbers that records get.
@Suite struct RecordReadingTests {
    @Test("a record of which a byte was not read is damaged, also where the right one stands in its place already")
    func shortRead() {
        let entry = Sample(number: 1, bodyCount: 333).entry()
        let payload = entry.withPayload { Array($0) }
        var header = RecordHeader(sequence: 7, entry: entry, payloadChecksum: checksumOf(payload))
        header.seal(mark: 9, link: 0)
        let length = RecordLength.rounded(header.recordCount)
        var bytes = lendBytes(of: header) { Array($0) } + payload
        bytes += Array(repeating: 0, count: length - bytes.count)
        let record = LocatedRecord(offset: 0, length: length, mark: 9, generation: 1, isRecent: false)
        bytes.withUnsafeMutableBytes { bytes in
            for count in [0, 1, 63, 64, 65, header.recordCount - 1, header.recordCount, length] {
                var isWhole = false
                if case .whole = readRecord(record, into: bytes, { _ in count }) { isWhole = true }
                #expect(isWhole == (count >= header.recordCount), "\(count) bytes")
            }
        }
    }

    @Test("numbers go on, in a log that is opened again, beyond those of any records that could not be read")
    func numbersAfterOpening() throws {
        // The random distance that comes on top is 0 with this seed.
        let seed = 0 &- splitMixStep
        var nonces = NonceGenerator(seed: seed)
        #expect(nonces.next() == 0)
        let storage = MemoryStorage()
        func open(_ nonceSeed: UInt64) throws -> DiskTier {
            try DiskTier(storage, capacity: 256 << 10, seed: KeySeed(1, 2), nonceSeed: nonceSeed)
        }
        let tier = try open(3)
        for number in 0..<5 { try tier.store(Sample(number: number).entry()) }
        let next = tier.shared.log.pointee.nextSequence
        let records = tier.shared.log.pointee.geometry.dataBytes / RecordHeader.byteCount
        #expect(try open(seed).shared.log.pointee.nextSequence >= next + UInt64(records))
    }
}
