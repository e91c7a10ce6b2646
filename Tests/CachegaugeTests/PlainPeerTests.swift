import Foundation
import GaugeSupport
import HTTPAgreement
import Testing

@testable import cachefuzz
@testable import cachegauge

/// The nearest peers of the table: a peer that does less work, or other work, would make a ratio worth nothing.
@Suite("Plain peers") struct PlainPeerTests {
    private static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The inputs of a fuzz target, and many altered ones of each.
    private func inputs(_ target: String, _ judge: ([UInt8]) -> Agreement) throws {
        let corpus = try Corpus.pack(at: Self.repository.appending(path: Corpus.pack(of: target)).path).inputs
        try #require(corpus.count > 50)
        var random = Xoshiro256(seed: 20)
        var valid = 0
        for seed in corpus {
            for round in 0..<40 {
                var input = seed.bytes
                for _ in 0..<round % 4 where !input.isEmpty {
                    let place = Int(random.next(below: UInt64(input.count)))
                    switch random.next(below: 3) {
                    case 0: input[place] = UInt8(truncatingIfNeeded: random.next())
                    case 1: input.remove(at: place)
                    default: input.insert(Array(#",="\ aZ09-"#.utf8)[Int(random.next(below: 10))], at: place)
                    }
                }
                switch judge(input) {
                case .agreed(_, let isValid): valid += isValid ? 1 : 0
                case .broken(let difference):
                    Issue.record(
                        "\(seed.name), round \(round): \(String(decoding: input, as: UTF8.self)): \(difference)"
                    )
                    return
                }
            }
        }
        #expect(valid > 200)
    }

    @Test("the plain reading of Cache-Control is that of the reference, but for semicolons")
    func cacheControl() throws {
        try inputs("cache_control") { input in
            .cacheControl(input.map { $0 == UInt8(ascii: ";") ? UInt8(ascii: ":") : $0 }, by: PlainCacheControl.parse)
        }
    }

    @Test("the plain reading of a date is that of the reference, whatever the time is") func dates() throws {
        // 2026, the ends of centuries, leap days whose 50th year has one and has none, and the bounds of Int64.
        let clocks: [Int64] = [
            1_795_219_200, 0, 946_684_799, 946_684_800, 951_827_296, 1_835_395_200, 4_102_444_799, 253_402_300_799,
            .min, .max,
        ]
        for now in clocks {
            try inputs("http_date") { .httpDate($0, now: now) { PlainHTTPDate.parse($0, now: $1) } }
        }
    }

    @Test("a plain LRU holds what a list of the newest keys says", arguments: [3, 16])
    func plainLRU(count: Int) {
        let cache = PlainLRU(capacity: count * 10, count: count)
        // Four bits of hash, so that entries collide and move up.
        func hash(_ key: UInt8) -> UInt64 { UInt64(key & 15) }
        var newest: [UInt8] = []
        var random = Xoshiro256(seed: UInt64(count))
        for step in 0..<20_000 {
            let key = UInt8(random.next(below: UInt64(count * 2)))
            if random.next(below: 3) == 0 {
                let entry = [key].withUnsafeBytes {
                    PlainEntry(key: $0, hash: hash(key), body: $0, cost: 10)
                }
                cache.store(entry)
                newest.removeAll { $0 == key }
                newest = Array(([key] + newest).prefix(count))
            } else {
                let found = [key].withUnsafeBytes { cache.entry($0, hash: hash(key)) }
                let isHeld = newest.contains(key)
                #expect((found != nil) == isHeld, "step \(step)")
                #expect(found.map { $0.key.elementsEqual([key]) } != false)
                if isHeld {
                    newest.removeAll { $0 == key }
                    newest.insert(key, at: 0)
                }
            }
        }
    }

    @Test("shards keep the capacity together, and each entry in one of them") func shardedLRU() {
        let cache = ShardedLRU(capacity: 1_600, count: 160)
        let hasher = FoldedHash(key: 7)
        func entry(_ number: UInt64) -> (PlainEntry, UInt64) {
            withUnsafeBytes(of: number) { bytes in
                let hash = hasher.hash(bytes)
                return (PlainEntry(key: bytes, hash: hash, body: bytes, cost: 10), hash)
            }
        }
        var held = 0
        for number in 0..<1_000 as Range<UInt64> {
            let (stored, hash) = entry(number)
            cache.store(stored)
            #expect(withUnsafeBytes(of: number) { cache.entry($0, hash: hash) } === stored)
        }
        for number in 0..<1_000 as Range<UInt64> {
            let (_, hash) = entry(number)
            if withUnsafeBytes(of: number, { cache.entry($0, hash: hash) }) != nil { held += 1 }
        }
        #expect(held == 160)
    }

    @Test("the plain hash tells every length and every byte of a key, and depends on its own key") func foldedHash() {
        var seen: Set<UInt64> = []
        var all = 0
        for count in 0...64 {
            let zeros = [UInt8](repeating: 0, count: count)
            for place in -1..<count {
                var key = zeros
                if place >= 0 { key[place] = 1 }
                for hasher in [FoldedHash(key: 1), FoldedHash(key: 3)] {
                    seen.insert(key.withUnsafeBytes(hasher.hash))
                    all += 1
                }
            }
        }
        #expect(seen.count == all)
    }
}
