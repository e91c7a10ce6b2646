import DiskSimulation
import Platform

extension FuzzTarget {
    /// The input is a list of operations on a disk log in memory: stores, lookups, removals, changes of capacity,
    /// closing and opening; see `DiskOperation`.
    ///
    /// Oracle: the model of `DiskTrial`. Without faults, closing and opening changes neither entries nor usage.
    static let diskTier = FuzzTarget(
        "disk_tier", mutation: .operationsOnADisk, describe: { DiskDump.program($0, .operations) }
    ) { bytes in
        if let broken = DiskTrial.run(bytes, .operations) { fuzzFailure(broken) }
    }

    /// The input is a list of operations with faults: errors, short writes, a full disk, kills that leave a prefix of
    /// the bytes, and power cuts that leave any part of the unflushed bytes.
    ///
    /// Oracle: the model of `DiskTrial`, with its rules for what may be found afterwards.
    static let diskCrash = FuzzTarget(
        "disk_crash", mutation: .operationsOnADisk, describe: { DiskDump.program($0, .faults) }
    ) { bytes in
        if let broken = DiskTrial.run(bytes, .faults) { fuzzFailure(broken) }
    }
}

extension InputMutation {
    /// A byte for the capacity and then operations. Every broken promise so far needed at most 28 operations after
    /// minimising, and many more short programs run in the same time.
    fileprivate static let operationsOnADisk = records(width: DiskTrial.operationBytes, head: 1, most: 32)
}

extension FuzzTarget {
    /// The input is a disk log's file: superblock, unit table, units. The mutator repairs the checksums of what it
    /// changes, or no input would get past the first checksum.
    ///
    /// Oracle: that of `DiskImageTrial`. Opening succeeds, every answer is complete in the file under the requested
    /// key, the capacity isn't exceeded, and the log works afterwards.
    static let diskImage = FuzzTarget(
        "disk_image",
        mutation: InputMutation(
            change: { buffer, size, seed in
                var mutation = DiskImageMutation(seed: seed)
                let changed = mutation.change([UInt8](buffer.prefix(size)), limit: buffer.count)
                buffer.copyBytes(from: changed)
                return changed.count
            }, join: nil),
        describe: { DiskDump.image($0) },
        run: { bytes in
            if let broken = DiskImageTrial.run(bytes) { fuzzFailure(broken) }
        })
}

/// Changes a few fields of a disk log's file, and repairs its checksums.
private struct DiskImageMutation {
    private var state: UInt64

    init(seed: UInt32) { state = UInt64(seed) }

    private mutating func next(_ limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return limit > 0 ? Int((state >> 33) % UInt64(limit)) : 0
    }

    mutating func change(_ bytes: [UInt8], limit: Int) -> [UInt8] {
        var image = DiskImage(bytes)
        for _ in 0...next(3) { changeOnce(&image.bytes, limit) }
        // Left unrepaired in one case of eight, so that the damage shows.
        if next(8) != 0 { image.repair() }
        return image.bytes
    }

    private mutating func changeOnce(_ bytes: inout [UInt8], _ limit: Int) {
        guard bytes.count >= 64 else {
            bytes = Array(DiskImage.samples()[next(5)].image.bytes.prefix(limit))
            return
        }
        // Superblock, unit table, or data.
        let region = [0..<64, 512..<2048, 2048..<max(bytes.count, 2048)][next(3)].clamped(to: 0..<bytes.count)
        let at = region.lowerBound + next(region.count)
        switch next(6) {
        case 0: bytes[min(at, bytes.count - 1)] ^= 1 << UInt8(next(8))
        case 1:
            // A field of four bytes: small, large, or near a power of two.
            let value = [0, 1, next(64), next(4096), 1 << next(32), (1 << next(32)) - 1, 0xFFFF_FFFF][next(7)]
            let field = at / 4 * 4
            guard field + 4 <= bytes.count else { return }
            for position in 0..<4 { bytes[field + position] = UInt8(truncatingIfNeeded: value >> (8 * position)) }
        case 2:
            // Copies a slot or a header over another.
            let count = [32, 64, 256][next(3)]
            let from = next(bytes.count / 8) * 8
            let to = at / 8 * 8
            guard max(from, to) + count <= bytes.count else { return }
            bytes.replaceSubrange(to..<to + count, with: Array(bytes[from..<from + count]))
        case 3: bytes.removeLast(next(bytes.count - 64))
        case 4: bytes += [UInt8](repeating: 0, count: min(next(1024), limit - bytes.count))
        default: bytes[64 % bytes.count] = UInt8(next(256))
        }
    }
}

/// Shows what happens in a disk log by running the input.
enum DiskDump {
    /// The operations with their outcomes, as the trial prints them, and the broken promise.
    static func program(_ bytes: UnsafeRawBufferPointer, _ scope: DiskTrial.Scope) -> String {
        // Read once, before the first operation.
        setenv("DISK_TRIAL_TRACE", "1", 1)
        print("\(bytes.count) bytes of operations")
        let broken = DiskTrial.run(bytes, scope)
        return broken.map { "broken: \($0)" } ?? "every promise held"
    }

    /// The file's superblock and its intact records.
    static func image(_ bytes: UnsafeRawBufferPointer) -> String {
        let records = DiskImage([UInt8](bytes)).wholeRecords(inFileOf: bytes.count)
        let lines = records.map { record, key in
            "record of \(key.quoted): stored at \(record.storedAt), \(record.metadataCount) bytes of metadata, "
                + "\(record.bodyCount) of body"
        }
        return "\(bytes.count) bytes, \(records.count) whole records\n" + lines.sorted().joined(separator: "\n")
            + "\nsuperblock:\n" + ByteDump.hexadecimal(bytes.prefix(64)) + "\nunit table:\n"
            + ByteDump.hexadecimal(bytes.dropFirst(512).prefix(512))
    }
}
