import CSupport
import CacheTiers

/// The bytes of a disk log's file, read and repaired by what FORMAT.md says, apart from the code that writes them.
package struct DiskImage {
    package var bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    private static let superblockBytes = 512
    private static let slotBytes = 32
    private static let headerBytes = 64

    // MARK: Reading

    /// A whole header, wherever it stands; answers have to agree with one.
    package struct Record: Hashable {
        package var hashLow: UInt64
        package var hashHigh: UInt64
        package var storedAt: Int64
        package var keyCount: Int
        package var metadataCount: Int
        package var bodyCount: Int
        package var payloadChecksum: UInt32
    }

    /// The records whose header and payload checksums both hold, and their keys.
    ///
    /// - Parameter length: bytes that the file may come to have; missing ones count as zeros.
    package func wholeRecords(inFileOf length: Int) -> [Record: [UInt8]] {
        let file = DiskImage(extended(0, bytes.count + Self.headerBytes))
        var found: [Record: [UInt8]] = [:]
        for offset in stride(from: 0, to: bytes.count, by: 8) {
            guard file.number(offset, 4) == file.checksum(0, offset + 4, 60), file.number(offset + 48, 4) >> 31 == 0
            else { continue }
            let record = Record(
                hashLow: file.number(offset + 24, 8), hashHigh: file.number(offset + 32, 8),
                storedAt: Int64(bitPattern: file.number(offset + 40, 8)), keyCount: Int(file.number(offset + 48, 4)),
                metadataCount: Int(file.number(offset + 52, 4)), bodyCount: Int(file.number(offset + 56, 4)),
                payloadChecksum: UInt32(file.number(offset + 60, 4)))
            let start = offset + Self.headerBytes
            let count = record.keyCount + record.metadataCount + record.bodyCount
            guard start + count <= length else { continue }
            let payload = extended(start, count)
            guard DiskImage(payload).checksum(0, 0, count) == UInt64(record.payloadChecksum) else { continue }
            found[record] = Array(payload.prefix(record.keyCount))
        }
        return found
    }

    /// Bytes as they read when the file has been extended.
    private func extended(_ offset: Int, _ count: Int) -> [UInt8] {
        let there = bytes.dropFirst(offset).prefix(count)
        return there + [UInt8](repeating: 0, count: count - there.count)
    }

    /// The largest generation in the segment table, whether its slot is valid or not.
    package var largestGeneration: UInt64 {
        guard bytes.count >= Self.headerBytes else { return 0 }
        return (0..<min(Int(number(52, 4)), 512)).map { Self.superblockBytes + $0 * Self.slotBytes }
            .filter { $0 + Self.slotBytes <= bytes.count }
            .reduce(0) { max($0, number($1 + 8, 8)) }
    }

    // MARK: Repairing

    /// Makes every checksum, mark and link right for what stands there, so that damage gets past the first check.
    package mutating func repair() {
        guard bytes.count >= Self.headerBytes else { return }
        let identity = number(56, 4)
        let segmentBytes = Int(clamping: number(40, 8))
        let segmentCount = min(Int(number(48, 4)), 512)
        let tableSlots = min(Int(number(52, 4)), 512)
        set(60, 4, checksum(0, 0, 60))
        let dataStart = Self.superblockBytes + tableSlots * Self.slotBytes
        for segment in 0..<segmentCount {
            let slot = Self.superblockBytes + segment * Self.slotBytes
            guard slot + Self.slotBytes <= bytes.count else { return }
            guard number(slot + 8, 8) != 0 else { continue }
            set(slot, 4, checksum(UInt32(truncatingIfNeeded: identity) ^ UInt32(segment), slot + 4, 28))
            let (distance, isTooFar) = segment.multipliedReportingOverflow(by: segmentBytes)
            guard !isTooFar, distance < bytes.count else { continue }
            repairRecords(
                segment: dataStart + distance, end: dataStart + distance + min(segmentBytes, bytes.count),
                first: Int(number(slot + 4, 4)) * 8, nonce: number(slot + 16, 8))
        }
        repairSavedIndex()
    }

    private static let savedIndexOffset = 128

    /// Makes the checksums of the saved index right, and those by which it is believed.
    private mutating func repairSavedIndex() {
        let saved = Self.savedIndexOffset
        let tableBytes = min(Int(number(52, 4)), 512) * Self.slotBytes
        guard bytes.count >= Self.superblockBytes + tableBytes, number(saved + 16, 8) != 0 else { return }
        set(saved + 4, 4, checksum(UInt32(truncatingIfNeeded: number(60, 4)), Self.superblockBytes, tableBytes))
        let start = Int(clamping: number(saved + 8, 8))
        let keyCount = Int(clamping: number(saved + 16, 8))
        let (slotBytes, isTooLong) = keyCount.multipliedReportingOverflow(by: 12)
        let count = min(Int(number(48, 4)), 512) * 8
        if !isTooLong, start <= bytes.count, slotBytes <= bytes.count - start - min(count, bytes.count - start) {
            set(saved + 52, 4, checksum(0, start, count + slotBytes))
        }
        set(saved + 56, 8, 1)
        let last = Int(clamping: number(saved + 40, 8))
        if last > 0, last <= bytes.count - Self.headerBytes { set(saved + 48, 4, number(last, 4)) }
        set(saved, 4, checksum(0, saved + 4, 60))
    }

    /// Changes bytes of the saved index at random, and makes its checksums right.
    package mutating func scrambleSavedIndex(seed: UInt64) {
        let start = Int(clamping: number(Self.savedIndexOffset + 8, 8))
        let byteCount = Int(number(48, 4)) * 8 + Int(clamping: number(Self.savedIndexOffset + 16, 8)) * 12
        var state = Version.scramble(seed)
        for _ in 0..<1 + seed % 5 {
            state = Version.scramble(state)
            bytes[start + Int(state >> 8) % byteCount] = UInt8(truncatingIfNeeded: state)
        }
        repairSavedIndex()
    }

    private mutating func repairRecords(segment: Int, end: Int, first: Int, nonce: UInt64) {
        var offset = segment + first
        var link: UInt64 = 0
        while offset < end, offset + Self.headerBytes <= bytes.count {
            // Where nothing was written nothing is to be repaired.
            guard bytes[offset..<offset + Self.headerBytes].contains(where: { $0 != 0 }) else { return }
            let payload = offset + Self.headerBytes
            let isTombstone = number(offset + 48, 4) >> 31 == 1
            let count =
                isTombstone
                ? 0 : Int(number(offset + 48, 4)) + Int(number(offset + 52, 4)) + Int(number(offset + 56, 4))
            if !isTombstone, payload + count <= bytes.count { set(offset + 60, 4, checksum(0, payload, count)) }
            set(offset + 4, 4, link)
            set(offset + 8, 8, nonce &+ UInt64(offset - segment))
            link = checksum(0, offset + 4, 60)
            set(offset, 4, link)
            offset = (payload + count + 7) / 8 * 8
        }
    }

    private func number(_ offset: Int, _ count: Int) -> UInt64 {
        bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func set(_ offset: Int, _ count: Int, _ value: UInt64) {
        for position in 0..<count {
            bytes[offset + position] = UInt8(truncatingIfNeeded: value >> (8 * UInt64(position)))
        }
    }

    private func checksum(_ start: UInt32, _ offset: Int, _ count: Int) -> UInt64 {
        bytes.withUnsafeBytes { UInt64(cs_crc32c(start, $0.baseAddress.map { $0 + offset }, count)) }
    }
}

extension DiskImage {
    /// Small images that the tier itself wrote, the same every time: seeds for the fuzzer.
    package static func samples() -> [(name: String, image: DiskImage)] {
        [
            ("new", image { _ in }),
            ("few", image { log in for key in 0..<3 { store(key, 1 + key, 40, log) } }),
            (
                "versions",
                image { log in
                    for number in 1..<9 { store(number % 3, number, number * 20, log) }
                    _ = try? log.remove(Version.hash(1))
                }
            ),
            (
                "cleared",
                image { log in
                    store(0, 1, 100, log)
                    try? log.removeAll()
                    store(1, 2, 100, log)
                    try? log.flush()
                }
            ),
            ("long", image { log in for key in 0..<3 { store(key, 1 + key, 500, log) } }),
        ]
    }

    private static func image(_ fill: (DiskTier) -> Void) -> DiskImage {
        let storage = MemoryStorage()
        if let log = try? DiskTier(storage, capacity: 16 << 10, seed: KeySeed(1, 2), nonceSeed: 2) { fill(log) }
        return DiskImage(storage.bytes)
    }

    private static func store(_ key: Int, _ number: Int, _ bodyCount: Int, _ log: DiskTier) {
        guard let entry = Version(number: number, bodyCount: bodyCount).entry(ofKey: key) else { return }
        _ = try? log.store(entry)
    }
}
