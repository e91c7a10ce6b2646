import Foundation
import Platform
import PlantedGauge
import TestSupport
import Testing

@testable import GaugeKit
@testable import GaugeMeasurement

/// A promise that no cache could break would promise nothing: for each there is a mistake that breaks it.
@Suite("Mistakes that break promises") struct BrokenPromisesTests {
    /// A promise, a mistake that breaks it, and a part of the reason.
    struct Row: Sendable, CustomTestStringConvertible {
        let promise: String
        let reason: String
        let mistake: Mistake
        var policy = SubjectEvictionPolicy.lru

        init(_ promise: String, _ reason: String, _ mistake: Mistake, policy: SubjectEvictionPolicy = .lru) {
            (self.promise, self.reason, self.mistake, self.policy) = (promise, reason, mistake, policy)
        }

        var testDescription: String { promise }
    }

    /// Without the fields, the `Vary` and the method of a request.
    private static let plain: Mistake.Change = { SubjectRequest($0.url) }
    private static let again = Mistake(ignores: { _, _, before in before > 0 })
    private static let neighbours = Mistake(lookedUp: {
        SubjectRequest($0.url == Trial.many(2).url ? Trial.many(1).url : $0.url)
    })
    /// Each process begins with an empty directory.
    private static let forgetful = Mistake(opened: {
        $0.directory += "/\(UUID())"
        try FileManager.default.createDirectory(atPath: $0.directory, withIntermediateDirectories: false)
    })

    private static func ignoring(_ part: String) -> Mistake {
        Mistake(ignores: { request, _, _ in request.url.contains(part) })
    }

    private static let keys: [Row] = [
        Row("key-query", "body of https://a.example/p?v=1", .confusing("?v=2", with: "?v=1")),
        Row("key-scheme", "body of https://a.example/p", .confusing("http:", with: "https:")),
        Row("key-port", "body of https://a.example:8443/p", .confusing(":8443", with: "")),
        Row("key-encoding", "body of https://a.example/a%2Fb", .confusing("%2F", with: "/")),
        Row("key-case", "body of https://a.example/P", .confusing("/P", with: "/p")),
        Row("key-host-case", "found nothing", .confusing("A.Example", with: "b.example")),
        Row("key-default-port", "found nothing", .confusing(":443", with: ":444")),
        Row("key-fragment", "found nothing", .confusing("#part", with: "?part")),
        Row("key-other-scheme", "found what was stored", .confusing("ftp:", with: "http:")),
        Row("key-user", "found what was stored", .confusing("user:secret@", with: "")),
        Row("key-many", "body of https://many.example/1", neighbours),
        Row("method-stored", "body of POST https://a.example/p", Mistake(stored: plain)),
        Row("method-looked-up", "body of https://a.example/p", Mistake(lookedUp: plain)),
        Row("vary", "body of https://a.example/p, Accept-Language: fr", Mistake(stored: plain, lookedUp: plain)),
    ]

    private static let capacities: [Row] = [
        Row("memory-held", "bytes in use of 200000", Mistake(opened: { $0.memoryCapacity *= 2 })),
        Row("memory-truncated", "bytes in use of 50000", Mistake(resized: { (max($0, 200_000), $1) })),
        Row("disk-truncated", "bytes on disk of 262144", Mistake(resized: { ($0, max($1, 1 << 20)) })),
        Row("superseded", "the earlier version is back", Mistake(ignores: { $1 > 10_000 && $2 > 0 })),
        Row(
            "capacity-zero", "found something", Mistake(opened: { $0.memoryCapacity = max($0.memoryCapacity, 1 << 20) })
        ),
        Row("gdsf", "it is gone, although it was used most often", Mistake(), policy: .gdsf),
        Row("twice-evicted-memory", "the first version is back", Mistake(remembersFirst: true)),
        Row("twice-evicted-disk", "the first version is back", Mistake(remembersFirst: true)),
        Row("stored-last-memory", "are gone after 4 more stores", ignoring("/1")),
        Row("overwritten", "not the second version", again),
        Row("removed", "found it", Mistake(keepsRemoved: true)),
        Row("removed", "found nothing", .confusing("/1", with: "/2")),
    ]

    private static let files: [Row] = [
        Row("persistent", "found nothing", forgetful), Row("persistent-overwritten", "not the second version", again),
        Row("persistent-removed", "found it", Mistake(keepsRemoved: true)),
        Row(
            "persistent-long", "a URL of 600 characters", Mistake(ignores: { request, _, _ in request.url.count > 599 })
        ),
        Row(
            "persistent-long", "a URL of 300 characters", Mistake(ignores: { request, _, _ in request.url.count > 255 })
        ),
        Row("persistent-any", "found nothing", ignoring("%C3")),
        Row("persistent-any", "found nothing", ignoring("/%3F")),
        Row("persistent-any", "found nothing", ignoring("xx%3F")),
        Row("user-info-persistent", "found none", forgetful),
        Row("two-owners", "body of https://many.example/1", neighbours),
        Row("damaged-bit", "answered with", Mistake(flaw: .writesInPlace)),
        Row("damaged-cut", "damaged bytes", Mistake(flaw: .writesInPlace)),
        Row("concurrent", "with another key's body", neighbours),
        Row("concurrent-evicting", "with another key's body", neighbours),
    ]

    private func verdict(_ row: Row, note: @escaping (String?) -> Void = { _ in }) throws -> PromiseVerdict {
        let promise = try #require(Promise.fixed.first { $0.name == row.promise })
        let scratch = try ScratchDirectory()
        return MistakenCache.$mistake.withValue(row.mistake) {
            Flaw.$current.withValue(row.mistake.flaw) {
                promise.verdict(
                    Trial(MistakenCache.self, parent: scratch.path, heapInUse: { nil }, policy: row.policy, note: note))
            }
        }
    }

    @Test("each mistake breaks its promise, for its own reason", arguments: keys + capacities + files)
    func mistakes(row: Row) throws {
        let verdict = try verdict(row)
        guard case .broken(let reason) = verdict, reason.contains(row.reason) else {
            Issue.record("\(row.promise): \(verdict)")
            return
        }
    }

    @Test("each promise of fixed steps is broken by a cache of these tests") func all() {
        /// The promises that VerificationTests, StrangersTests and PlainCacheTests break.
        let others: Set = [
            "colliding-memory", "colliding-disk", "lru", "fifo", "used-kept", "heap-bounded", "removed-since-memory",
            "removed-since-disk", "removed-since-reopened", "memory-only", "memory-only-superseding", "not-allowed",
            "room-memory",
        ]
        let broken = others.union((Self.keys + Self.capacities + Self.files).map(\.promise))
            .union(PlantedFlawTests.flaws.map(\.promise))
        #expect(Set(Promise.fixed.map(\.name)).subtracting(broken) == [])
    }

    @Test("a flipped bit is any of the eight of a byte, and a file is cut at any length") func damage() throws {
        func damages(_ promise: String) throws -> [Substring] {
            var steps: [String] = []
            #expect(try verdict(Row(promise, "", Mistake())) { steps.append($0 ?? "") } == .kept)
            return steps.compactMap { $0.firstMatch(of: /: (flip bit \d+ of byte \d+|cut it to \d+ bytes)$/)?.output.1 }
        }
        let flips = try damages("damaged-bit")
        #expect(flips.count == 150)
        #expect(Set(flips.compactMap { $0.split(separator: " ")[2] }) == Set((0..<8).map { "\($0)" }))
        let cuts = try damages("damaged-cut")
        #expect(cuts.count == 20 && Set(cuts).count > 10)
    }

    /// 120 entries are stored, and a fiftieth of the capacity of 1 MiB and 1 KiB more may be in use after all were
    /// removed.
    @Test(
        "entries that stay counted after their lifetime break the promise of lifetimes when they are too much for a table",
        arguments: [(183, true), (184, false)])
    func expired(bytes: Int, isKept: Bool) throws {
        let opened = Locked<[SubjectConfiguration]>([])
        let time = Locked(0.0)
        let clock = TrialClock(
            now: { time.withLock { $0 } }, pause: {}, wait: { seconds in time.withLock { $0 += seconds } })
        let mistake = Mistake(
            opened: { configuration in opened.withLock { $0.append(configuration) } },
            // The entries of both other requests are not left.
            reported: { usage, requests in
                SubjectUsage(memoryBytes: usage.memoryBytes.map { $0 + max(0, requests - 2) * bytes })
            })
        let promise = try #require(Promise.lifetimes.first { $0.name == "expired" })
        let scratch = try ScratchDirectory()
        let verdict = MistakenCache.$mistake.withValue(mistake) {
            FlawedClock.$source.withValue(.init(clock.now)) {
                promise.verdict(
                    Trial(MistakenCache.self, parent: scratch.path, clock: clock, heapInUse: { nil }) { _ in })
            }
        }
        let reason = "\(120 * bytes) bytes in use after all keys were removed"
        #expect(verdict == (isKept ? .kept : .broken(reason: reason)))
        // The disk has room for all of them, so that none is missing for another reason, and memory for a few.
        let configuration = try #require(opened.withLock { $0 }.first)
        #expect(configuration.diskCapacity >= 600_000 && (10_000..<60_000).contains(configuration.memoryCapacity))
        #expect(configuration.lifetime == 3)
    }
}
