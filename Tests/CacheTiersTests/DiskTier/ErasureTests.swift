import DiskSimulation
import Foundation
import Platform
import Testing

@testable import CacheTiers

/// Bytes of removed entries in the file.
@Suite struct ErasureTests {
    /// Whether the file has the key of a sample behind a header, or some 16 bytes of its body.
    private static func holds(_ sample: Sample, in bytes: [UInt8]) -> Bool {
        contains(sample.key + sample.metadata.prefix(7), in: bytes)
            || contains(Array(sample.body.dropFirst(20).prefix(16)), in: bytes)
    }

    private static func contains(_ part: [UInt8], in bytes: [UInt8]) -> Bool {
        Data(bytes).range(of: Data(part)) != nil
    }

    private static func open(_ storage: MemoryStorage, erases: Bool = true) throws -> DiskTier {
        let tier = try DiskTier(storage, capacity: 64 << 10, seed: KeySeed(1, 2), nonceSeed: 3)
        tier.erasesRemoved = erases
        return tier
    }

    @Test("Nothing of a removed entry stays in the file, nor of its earlier versions and copies", arguments: 0..<6)
    func removal(seed: Int) throws {
        let storage = MemoryStorage()
        var tier = try Self.open(storage)
        var state = scrambled(UInt64(seed))
        var current: [Int: Sample] = [:]
        var ever: [Int: [Sample]] = [:]
        for step in 0..<400 {
            state = scrambled(state)
            let number = Int(state >> 8 % 40)
            switch state % 16 {
            case 0, 1:
                try tier.remove(Sample(number: number).hash)
                current[number] = nil
                let bytes = storage.bytes
                for old in ever[number] ?? [] { #expect(!Self.holds(old, in: bytes), "seed \(seed), step \(step)") }
            case 2: try tier.flush()
            case 3: if step % 5 == 0 { tier = try Self.open(storage) }
            case 4..<8: _ = tier.lookup(Sample(number: number))
            default:
                let sample = Sample(number: number, version: step, bodyCount: 200 + Int(state >> 16 % 1500))
                try tier.store(sample.entry())
                current[number] = sample
                ever[number, default: []].append(sample)
            }
            for number in 0..<40 where step % 8 == 0 {
                guard let entry = tier.lookup(Sample(number: number)) else { continue }
                #expect(current[number].map { $0.matches(entry) } == true, "seed \(seed), step \(step)")
            }
        }
        #expect(tier.statistics.damagedRecords == 0)
        // The other entries are still found after opening again.
        let count = tier.count
        let again = try Self.open(storage)
        #expect(again.count == count && again.statistics.damagedSegments == 0)
        for (number, sample) in current {
            if let entry = again.lookup(Sample(number: number)) { #expect(sample.matches(entry)) }
        }
    }

    @Test("nothing of an entry stays that its own removal carries elsewhere", arguments: [236, 239, 241, 243])
    func carriedByItsRemoval(count: Int) throws {
        var removed = 0
        for number in stride(from: 0, to: count, by: 4) {
            let storage = MemoryStorage()
            let tier = try Self.open(storage)
            for stored in 0..<count { try tier.store(Sample(number: stored, bodyCount: 200).entry()) }
            let sample = Sample(number: number, bodyCount: 200)
            try tier.flush()
            try tier.erase()
            guard tier.holds(sample) else { continue }
            removed += 1
            try tier.remove(sample.hash)
            #expect(!Self.holds(sample, in: storage.bytes), "\(number)")
        }
        #expect(removed > 30)
    }

    @Test("a damaged header does not let its removal erase other entries, nor make the file longer")
    func damagedLength() throws {
        let storage = MemoryStorage()
        let tier = try Self.open(storage)
        let samples = (0..<30).map { Sample(number: $0) }
        for sample in samples { try tier.store(sample.entry()) }
        try tier.remove(samples[0].hash)
        let slot = tier.shared.log.pointee.index.find(Fingerprint(samples[1].hash.low))
        let place = tier.shared.log.pointee.geometry.offset(of: try #require(slot).pointee.place)
        var bytes = storage.bytes
        // The third byte of the body's length.
        bytes[place + 58] = 0x10
        storage.replace(bytes)
        _ = try? tier.remove(samples[1].hash)
        #expect(storage.bytes.count <= 64 << 10)
        for sample in samples.dropFirst(2) { #expect(tier.holds(sample)) }
    }

    @Test("Removing everything, and what is newer than a date, erases too") func removalOfMany() throws {
        for isAll in [true, false] {
            let storage = MemoryStorage()
            let tier = try Self.open(storage)
            let samples = (0..<40).map { Sample(number: $0, bodyCount: 500, storedAt: Int64($0)) }
            for sample in samples { try tier.store(sample.entry()) }
            if isAll { try tier.removeAll() } else { try tier.removeAll(since: 19) }
            for sample in samples {
                #expect(Self.holds(sample, in: storage.bytes) == (!isAll && sample.number < 20))
            }
        }
    }

    @Test("Without the option removed entries stay in the file until erase is called") func erase() throws {
        let storage = MemoryStorage()
        let tier = try Self.open(storage, erases: false)
        let samples = (0..<10).map { Sample(number: $0, bodyCount: 500) }
        for sample in samples { try tier.store(sample.entry()) }
        for sample in samples.prefix(5) { try tier.remove(sample.hash) }
        #expect(Self.holds(samples[0], in: storage.bytes))
        try tier.erase()
        for sample in samples {
            #expect(Self.holds(sample, in: storage.bytes) == (sample.number >= 5))
            #expect(tier.holds(sample) == (sample.number >= 5))
        }
    }

    @Test("A removal directly after another writes little") func removalsInARow() throws {
        let storage = MemoryStorage()
        let tier = try Self.open(storage)
        for number in 0..<30 { try tier.store(Sample(number: number, bodyCount: 500).entry()) }
        try tier.remove(Sample(number: 0).hash)
        let before = storage.writeCount
        for number in 1..<11 { try tier.remove(Sample(number: number).hash) }
        #expect(storage.writeCount - before <= 2 * 10 + 4)
        for number in 0..<11 { #expect(!Self.holds(Sample(number: number, bodyCount: 500), in: storage.bytes)) }
    }

    @Test("Removal by prefix takes the keys that begin with it, and no others") func prefix() throws {
        let tier = try Self.open(MemoryStorage(), erases: false)
        let memory = try MemoryTier(capacity: 1 << 20)
        for number in 0..<120 {
            try tier.store(Sample(number: number).entry())
            _ = memory.store(Sample(number: number).entry())
        }
        let prefix = Array("https://example.org/1".utf8)
        try prefix.withUnsafeBytes { try tier.removeAll(withPrefix: $0) }
        prefix.withUnsafeBytes { memory.removeAll(withPrefix: $0) }
        for number in 0..<120 {
            let sample = Sample(number: number)
            let isGone = "\(number)".hasPrefix("1")
            #expect(tier.holds(sample) == !isGone)
            #expect((sample.key.withUnsafeBytes { memory.lookup($0, hash: sample.hash) } == nil) == isGone)
        }
    }
}
