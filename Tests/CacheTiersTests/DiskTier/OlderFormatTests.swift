import DiskSimulation
import Foundation
import Testing

@testable import CacheTiers

/// Images that earlier commits wrote, each with 24 entries, of which the first four were stored again, and the next two
/// removed: `version-1` and `version-1-flushed` are by 8c5abbd, before there was a saved index.
@Suite("Images of older formats") struct OlderFormatTests {
    static let images = ["version-1", "version-1-flushed"]

    private func image(_ name: String) throws -> [UInt8] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        return [UInt8](try Data(contentsOf: folder.appending(path: "Images/\(name).log")))
    }

    private func body(_ number: UInt64) -> [UInt8] {
        var state = number
        return (0..<100 + Int(number)).map { _ in
            state = scrambled(state)
            return UInt8(truncatingIfNeeded: state)
        }
    }

    private func lookup(_ number: UInt64, _ tier: DiskTier) -> [UInt8]? {
        let key = Array("https://example.org/item/\(number)".utf8)
        let hash = KeyHash(low: scrambled(number), high: scrambled(~number))
        return key.withUnsafeBytes { tier.lookup($0, hash: hash) }?.withBody { Array($0) }
    }

    private func check(_ tier: DiskTier) {
        #expect(tier.count == 22)
        for number in UInt64(0)..<24 {
            let expected = number < 4 ? body(number + 100) : 4..<6 ~= number ? nil : body(number)
            #expect(lookup(number, tier) == expected, "entry \(number)")
        }
        #expect(tier.statistics.damagedRecords == 0 && tier.statistics.damagedSegments == 0)
    }

    @Test("Every entry is found, or nothing is; then it is a directory like any other", arguments: images)
    func upgrade(name: String) throws {
        let directory = TemporaryDirectory()
        try Data(image(name)).write(to: URL(filePath: directory.logPath))
        chmod(directory.logPath, 0o600)
        do {
            let tier = try DiskTier(directory: directory.path, capacity: 64 << 10)
            #expect(tier.startReason == nil)
            #expect(tier.hashSeed == KeySeed(1, 2))
            check(tier)
            try tier.store(Sample(number: 1_000).entry())
        }
        let tier = try DiskTier(directory: directory.path, capacity: 64 << 10)
        #expect(tier.holds(Sample(number: 1_000)))
        #expect(tier.count == 23)
    }

    @Test("A copy of the index that it gets is right", arguments: images)
    func savedIndex(name: String) throws {
        let storage = MemoryStorage(try image(name))
        for nonceSeed in UInt64(3)..<6 {
            let tier = try DiskTier(
                storage, capacity: 64 << 10, seed: KeySeed(3, 4), nonceSeed: nonceSeed, leastSavedCount: 1)
            check(tier)
            tier.close()
        }
        #expect(storage.bytes[128..<192].contains { $0 != 0 })
    }
}
