import CacheTiers
import DiskSimulation
import Testing

/// A power cut undoes no part of a flush.
@Suite struct FlushTests {
    /// Each takes a segment of the log to itself, which are of 1.4 KiB.
    let samples = (0..<90).map { Sample(number: $0, bodyCount: 900) }
    let entries: [StoredEntry]

    init() { entries = samples.map { $0.entry() } }

    /// Flushes after `flushed` stores, when the ring has been round, and clears the log after `later` more.
    ///
    /// - Returns: whether anything that was flushed was still there to be cleared, and whether clearing it was
    ///   synchronised.
    func clear(flushed: Int, later: Int) throws -> (something: Bool, isSynchronised: Bool) {
        let storage = MemoryStorage()
        let log = try DiskTier(storage, capacity: 64 << 10, seed: KeySeed(1, 2), nonceSeed: 3)
        // So few segments that their lives are ended one by one.
        try log.setCapacity(32 << 10)
        for entry in entries[..<flushed] { _ = try log.store(entry) }
        try log.flush()
        for entry in entries[flushed..<flushed + later] { _ = try log.store(entry) }
        let something = samples[..<flushed].contains { sample in
            sample.key.withUnsafeBytes { log.lookup($0, hash: sample.hash) } != nil
        }
        let before = storage.synchronisationCount
        try log.removeAll()
        return (something, storage.synchronisationCount > before)
    }

    @Test(
        "clearing is synchronised as long as a segment of what was flushed is left, whichever it is, and not for ever")
    func clearing() throws {
        var plain = 0
        // More than the ring has segments, so that each is the last one left in one of the turns.
        for flushed in 30..<60 {
            for later in 16..<26 {
                let (something, isSynchronised) = try clear(flushed: flushed, later: later)
                if something {
                    #expect(isSynchronised, "flushed after \(flushed), cleared after \(later) more")
                } else if !isSynchronised {
                    plain += 1
                }
            }
        }
        #expect(plain > 0)
    }
}
