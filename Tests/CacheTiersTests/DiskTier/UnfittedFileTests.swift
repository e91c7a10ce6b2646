import DiskSimulation
import Testing

@testable import CacheTiers

/// A file that was opened with a lower capacity than its own, to be truncated with the first change.
@Suite struct UnfittedFileTests {
    let storage = MemoryStorage()
    /// More than 200 KiB, and less than 400.
    let samples = (0..<400).map { Sample(number: $0, bodyCount: 500) }

    private func open(_ capacity: Int, truncates: Bool) throws -> DiskTier {
        try DiskTier(
            storage, capacity: capacity, seed: KeySeed(1, 2), nonceSeed: 3, schedule: nil, leastSavedCount: 10,
            policy: .leastRecentlyUsed, truncates: truncates, directoryLock: nil)
    }

    private func fill() throws {
        let tier = try open(400 << 10, truncates: true)
        for sample in samples { try tier.store(sample.entry()) }
    }

    enum End: CaseIterable {
        case timer, close, flush
    }

    @Test("a tier that only reads it leaves it as it was", arguments: End.allCases) func onlyRead(_ end: End) throws {
        try fill()
        let bytes = storage.bytes
        do {
            let tier = try open(200 << 10, truncates: false)
            for sample in samples { #expect(tier.holds(sample)) }
            switch end {
            case .timer: tier.writeWaiting()
            case .close: tier.close()
            case .flush: try tier.flush()
            }
        }
        // A flush says in the superblock that power cuts matter.
        let own = end == .flush ? Superblock.byteCount : 0
        // In a line of its own: a failure would list the differences, for minutes.
        let isUnchanged = storage.bytes.dropFirst(own) == bytes.dropFirst(own)
        #expect(isUnchanged)
        let next = try open(400 << 10, truncates: true)
        for sample in samples { #expect(next.holds(sample)) }
    }

    @Test("after a flush the first change truncates it all the same") func changedAfterFlush() throws {
        try fill()
        let tier = try open(200 << 10, truncates: false)
        try tier.flush()
        try tier.store(Sample(number: 400).entry())
        #expect(storage.bytes.count <= 200 << 10 && tier.holds(Sample(number: 400)) && !tier.holds(samples[0]))
    }

    @Test("a file that fits is nothing special: its index is saved") func fits() throws {
        try fill()
        try open(400 << 10, truncates: false).close()
        #expect(try open(400 << 10, truncates: false).shared.log.pointee.savedIndex != nil)
    }
}
