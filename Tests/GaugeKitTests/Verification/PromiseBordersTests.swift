import Foundation
import TestSupport
import Testing

@testable import GaugeKit
@testable import GaugeMeasurement
@testable import GaugeTraces

/// The figures at which a promise is just kept, and those at which it is just broken, with the whole reason.
@Suite("Borders of promises") struct PromiseBordersTests {
    private static func many(_ number: Int) -> SubjectRequest { Trial.many(number) }

    /// Checks a promise by a script that is made for each value.
    private func expect(
        _ promise: String, _ verdicts: [(value: Int, verdict: PromiseVerdict)],
        _ script: (_ value: Int, _ script: Script) -> Void
    ) throws {
        for (value, verdict) in verdicts {
            let one = Script()
            script(value, one)
            #expect(try one.verdict(promise) == verdict, "\(promise) at \(value)")
        }
    }

    @Test("memory may hold its capacity and no byte more, by what it says and by the bodies that are found")
    func memory() throws {
        for (promise, most, capabilities) in [
            ("memory-held", 200_000, [.memory, .capacity]), ("memory-truncated", 50_000, [.memory, .resize]),
        ] as [(String, Int, SubjectCapabilities)] {
            let reason = "\(most + 1) bytes in use of \(most)"
            try expect(promise, [(most, .kept), (most + 1, .broken(reason: reason))]) { bytes, script in
                script.capabilities = capabilities
                script.usage = { _ in SubjectUsage(memoryBytes: bytes) }
                if promise == "memory-held" { script.answer = { _, _, _ in nil } }
            }
        }
        let silent = Script()
        silent.capabilities = [.memory, .resize]
        let reason = "it does not say what its memory holds"
        #expect(try silent.verdict("memory-truncated") == .notApplicable(reason: reason))
        // 200 bodies of 1,000 bytes, and 22 of 9,000.
        for (held, verdict) in [
            (22, PromiseVerdict.kept),
            (23, .broken(reason: "bodies of 207000 bytes are found, of a capacity of 200000")),
        ] {
            let script = Script()
            script.capabilities = [.memory, .capacity]
            script.answer = { request, _, stored in
                (0..<held).contains { Self.many($0).url == request.url } ? stored : nil
            }
            #expect(try script.verdict("memory-held") == verdict)
        }
    }

    @Test("the files may hold the capacity of the disk and no byte more, also after it was lowered")
    func disk() throws {
        func write(_ bytes: Int, in directory: String) throws {
            try Data(count: bytes).write(to: URL(filePath: "\(directory)/file"))
        }
        let (disk, part) = (1 << 20, 1 << 18)
        let broken = PromiseVerdict.broken(reason: "1048577 bytes on disk of 1048576")
        let brokenPart = PromiseVerdict.broken(reason: "262145 bytes on disk of 262144")
        for (whole, quarter, verdict) in [
            (disk, part, .kept), (disk + 1, part, broken), (disk, part + 1, brokenPart),
        ] as [(Int, Int, PromiseVerdict)] {
            let held = Script()
            held.capabilities = [.disk, .capacity]
            held.opened = { try write($0.diskCapacity == disk ? whole : quarter, in: $0.directory) }
            #expect(try held.verdict("disk-held") == verdict)
            #expect(held.capacities.last == (verdict == broken ? [0, disk] : [0, part]))
        }
        for (bytes, verdict) in [(part, .kept), (part + 1, brokenPart)] as [(Int, PromiseVerdict)] {
            let truncated = Script()
            truncated.capabilities = [.disk, .resize]
            var directory = ""
            truncated.opened = { directory = $0.directory }
            truncated.resized = { _, _ in try? write(bytes, in: directory) }
            #expect(try truncated.verdict("disk-truncated") == verdict)
            #expect(truncated.capacities == [[0, disk]] && truncated.resizes == [[0, part]])
        }
    }

    @Test("forty of fifty entries have to be held after a capacity was raised") func raised() throws {
        for (promise, resizes) in [
            ("memory-raised", [[50_000, 0], [1_048_576, 0]]), ("disk-raised", [[0, 131_072], [0, 4_194_304]]),
        ] {
            for found in [40, 39] {
                let script = Script()
                script.capabilities = [promise == "disk-raised" ? .disk : .memory, .capacity, .resize]
                let held = Set((0..<found).map(Self.many))
                script.answer = { request, _, stored in held.contains(request) ? stored : nil }
                let reason = "found 39 of 50 entries of 5000 bytes"
                #expect(try script.verdict(promise) == (found == 40 ? .kept : .broken(reason: reason)))
                #expect(script.resizes == resizes)
            }
        }
    }

    @Test("reported usage is at least the bodies that are found, and at most a generous bound of all")
    func usage() throws {
        let (least, most) = (60 * 5_000, 100 * 9_096 + 1 << 20)
        let few = PromiseVerdict.broken(reason: "299999 bytes reported, 60 bodies of 5000 bytes found")
        let many = PromiseVerdict.broken(reason: "1958177 bytes reported for 100 bodies of 5000 bytes")
        let verdicts = [(least, .kept), (least - 1, few), (most, .kept), (most + 1, many)] as [(Int, PromiseVerdict)]
        let found = Set((0..<60).map(Self.many))
        try expect("usage-memory", verdicts) { bytes, script in
            script.answer = { request, _, stored in found.contains(request) ? stored : nil }
            script.usage = { _ in SubjectUsage(memoryBytes: bytes, diskBytes: 1) }
        }
        let silent = Script()
        silent.usage = { _ in SubjectUsage(diskBytes: 1) }
        #expect(try silent.verdict("usage-memory") == .notApplicable(reason: "it does not report it"))
        // Twice the files and 256 KiB, once all were replaced four times.
        let beyond = PromiseVerdict.broken(reason: "662145 bytes reported, 200000 bytes on disk")
        try expect("usage-disk", [(662_144, .kept), (662_145, beyond)]) { bytes, script in
            script.capabilities = .disk
            script.opened = { try Data(count: 200_000).write(to: URL(filePath: "\($0.directory)/file")) }
            script.usage = { SubjectUsage(memoryBytes: 1, diskBytes: $0 == 100 ? 500_000 : bytes) }
        }
    }

    @Test("memory of 200,000 bytes answers for forty bodies of 5,000 bytes and no more") func toldMemory() throws {
        let reason = "41 of them reported as held in 200000 bytes of memory"
        try expect("told-memory", [(40, .kept), (41, .broken(reason: reason))]) { hits, script in
            script.capabilities = [.memory, .disk, .capacity]
            script.hit = { $0 <= hits ? .memoryHit : .diskHit }
        }
    }

    @Test("a tenth as many stores may evict without a report as with one, but not one of them each time")
    func toldEvictions() throws {
        // Of each 120 stores ten are told to have evicted, and others have evicted silently.
        func verdict(silent: @escaping (_ time: Int) -> [Int], told: Int = 10) throws -> PromiseVerdict {
            let script = Script()
            script.capabilities = [.memory, .capacity]
            script.stored = { ($0 - 1) % 120 >= 120 - told ? .storeEvict : .store }
            script.usage = { [unowned script] stores in
                let time = (script.allStores - 1) / 120
                return SubjectUsage(memoryEntries: 900 - silent(time).count { $0 < stores })
            }
            script.answer = { _, _, _ in nil }
            return try script.verdict("told-evictions")
        }
        #expect(try verdict { [$0] } == .kept)
        #expect(
            try verdict { [$0, $0 + 20] } == .broken(reason: "2 stores evicted without a report, 10 with one"))
        let each = "the store of https://many.example/7 evicts each time, and never reports it"
        #expect(try verdict { _ in [7] } == .broken(reason: each))
        // The first of several, where twice as many are told.
        #expect(try verdict(silent: { _ in [30, 7] }, told: 20) == .broken(reason: each))
        #expect(try verdict(silent: { $0 == 4 ? [8] : [7] }) == .kept)
        #expect(try verdict(silent: { _ in [7] }, told: 0) == .notApplicable(reason: "it reports no evictions"))
    }

    @Test("an entry that takes the place of another has evicted it where it is found") func replacing() throws {
        // The number of entries stays the same with each store.
        for (isFound, verdict) in [
            (true, PromiseVerdict.broken(reason: "110 stores evicted without a report, 10 with one")), (false, .kept),
        ] {
            let script = Script()
            script.capabilities = [.memory, .capacity]
            script.stored = { ($0 - 1) % 120 >= 110 ? .storeEvict : .store }
            script.usage = { _ in SubjectUsage(memoryEntries: 40) }
            script.answer = { _, _, stored in isFound ? stored : nil }
            #expect(try script.verdict("told-evictions") == verdict)
        }
    }

    @Test("evictions are counted from none to those entries that are gone, and no fewer than were reported")
    func countedEvictions() throws {
        func verdict(before: Int = 0, counted: Int, told: Int, left: Int, name: String = "disk evictions") throws
            -> PromiseVerdict
        {
            let script = Script()
            script.capabilities = [.memory, .capacity, .counters]
            script.counters = { stores in
                [name: stores == 192 ? before : counted - 3, "memory evictions": stores == 192 ? 0 : 3, "hits": 99]
            }
            if name == "none" { script.counters = { _ in ["hits": 5] } }
            script.stored = { $0 > 192 && $0 <= 192 + told ? .storeEvict : .store }
            let held = Set((0..<left).map(Self.many))
            script.answer = { request, _, stored in held.contains(request) ? stored : nil }
            return try script.verdict("counted-evictions")
        }
        #expect(try verdict(counted: 20, told: 20, left: 100) == .kept)
        #expect(
            try verdict(before: 1, counted: 20, told: 20, left: 100)
                == .broken(reason: "1 evictions counted, although there is room for all of them"))
        #expect(
            try verdict(counted: 21, told: 20, left: 100)
                == .broken(reason: "21 evictions counted; of 120 entries, each stored once, 100 are left"))
        #expect(
            try verdict(counted: 19, told: 20, left: 100)
                == .broken(reason: "19 evictions counted, 20 reported by stores"))
        // A counter of that name counts those of both tiers, and of several others their sum may be any number.
        #expect(
            try verdict(counted: 20, told: 20, left: 100, name: "evictions")
                == .broken(reason: "17 evictions counted, 20 reported by stores"))
        #expect(try verdict(counted: 23, told: 20, left: 100, name: "evictions") == .kept)
        #expect(
            try verdict(counted: .max, told: 20, left: 100)
                == .broken(reason: "\(Int.max) evictions counted; of 120 entries, each stored once, 100 are left"))
        #expect(
            try verdict(counted: 0, told: 0, left: 0, name: "none")
                == .notApplicable(reason: "none of its counters is named evictions"))
    }

    /// Of a cache in which 100 entries fit, lookups 3 and later of an entry are those of its uses.
    private func usedKept(gone: [Int: [Int]], named: Bool = true) throws -> PromiseVerdict {
        let script = Script()
        script.capabilities = [.memory, .capacity]
        let numbers = Dictionary(uniqueKeysWithValues: (0..<300).map { (Self.many($0), $0) })
        script.answer = { request, lookup, stored in
            guard let number = numbers[request], number < 100 else { return nil }
            return lookup > 2 && gone[number]?.contains(lookup - 3) == true ? nil : stored
        }
        return try script.verdict("used-kept")
    }

    @Test("two of eight used entries may be gone again and again in the second half of the time") func used() throws {
        let broken = PromiseVerdict.broken(reason: "3 of 8 entries are gone again and again")
        // Entries are used at each fourth of 800 stores; those after the 400th count.
        #expect(try usedKept(gone: [0: [101, 102], 7: [150, 199]]) == .kept)
        #expect(try usedKept(gone: [0: [101, 102], 1: [101, 199], 7: [150, 199]]) == broken)
        #expect(try usedKept(gone: [0: [100, 101], 1: [101, 199], 7: [150, 199]]) == .kept)
        #expect(try usedKept(gone: [0: [101], 1: [101], 2: [101], 3: [150], 4: [7]]) == .kept)
    }

    @Test("of entries that were stored last, a fiftieth may be gone four stores later") func storedLast() throws {
        for (gone, verdict) in [
            ([9, 50], .kept),
            (
                [9, 50, 60],
                .broken(reason: "3 of them, https://many.example/9 first, are gone after 4 more stores")
            ),
        ] as [([Int], PromiseVerdict)] {
            let script = Script()
            script.capabilities = [.disk, .capacity]
            let lost = Set(gone.map(Self.many))
            script.answer = { request, _, stored in lost.contains(request) ? nil : stored }
            #expect(try script.verdict("stored-last-disk") == verdict)
            // Four of 104 are not looked up.
            #expect(script.allLookups == 100 && script.capacities == [[0, 1_048_576]])
        }
    }

    @Test("a cache in which everything fits has no order of eviction to be tried") func boundless() throws {
        for promise in ["lru", "replaced-place", "used-kept"] {
            let script = Script()
            script.capabilities = [.memory, .capacity]
            let reason = "all are still there, although more were stored than fit"
            #expect(try script.verdict(promise) == .broken(reason: reason))
            #expect(script.capacities == [[1_048_576, 0], [1_048_576, 0]] && script.allStores == 261 + 419)
        }
    }

    @Test("a cache that finds nothing does not pass where something has to be found") func nothing() throws {
        for (promise, capabilities, reason) in [
            ("key-many", [], "found not a single one"), ("empty-body", .memory, "found nothing"),
            ("expired", [.memory, .expiry], "found nothing, before its lifetime was over"),
            ("memory-only", [.memory, .disk, .storagePolicy], "found nothing"),
            ("gdsf", [.memory, .capacity], "found nothing, although all of them fit"),
            ("lru", [.memory, .capacity], "found nothing, although all of them fit"),
            ("shared", [.memory, .shared], "found nothing"),
        ] as [(String, SubjectCapabilities, String)] {
            let script = Script()
            script.capabilities = capabilities
            script.answer = { _, _, _ in nil }
            let clock = TrialClock(now: { 1 }, pause: {})
            #expect(try script.verdict(promise, clock: clock) == .broken(reason: reason), "\(promise)")
        }
    }

    @Test("a slow cache is asked for 64 keys, and a quick one for 5,000") func slow() throws {
        for (seconds, stores) in [(0, 64), (3_600, 5_000)] as [(Double, Int)] {
            let script = Script()
            #expect(try script.verdict("key-many", seconds: seconds) == .kept)
            #expect(script.allStores == stores && script.allLookups == stores)
        }
    }

    @Test("a body that was to be empty is told with its length") func empty() throws {
        let script = Script()
        script.answer = { request, _, _ in Script.body(request, count: 30) }
        #expect(try script.verdict("empty-body") == .broken(reason: "found 30 bytes"))
    }

    @Test("capacities are those of the tiers that a cache has") func tiers() throws {
        let mebi = 1_048_576
        for (promise, capabilities, capacities) in [
            ("removed-all", [.memory, .removalSince], [200_000, 0]),
            ("removed-all", [.memory, .disk, .removalSince], [200_000, mebi]),
            ("not-allowed", [.disk, .storagePolicy], [0, mebi]),
            ("not-allowed", [.memory, .storagePolicy], [100_000, 0]),
            ("not-allowed", [.memory, .disk, .storagePolicy], [100_000, mebi]),
            ("user-info-object", [.memory, .userInfo], [mebi, 0]),
            ("user-info-object", [.memory, .disk, .userInfo], [mebi, 0]),
            ("user-info-object", [.memory, .disk, .persistence, .userInfo], [mebi, mebi]),
            ("superseded", [.memory, .capacity], [200_000, 0]),
            ("superseded", [.memory, .capacity, .disk], [200_000, 200_000]),
            ("key-query", [.memory], [mebi, 0]), ("key-query", [.disk], [0, mebi]),
            ("key-query", [.memory, .disk], [mebi, 0]), ("key-many", [], [16 * mebi, 0]),
        ] as [(String, SubjectCapabilities, [Int])] {
            let script = Script()
            script.capabilities = capabilities
            _ = try script.verdict(promise)
            #expect(script.capacities.first == capacities, "\(promise)")
        }
    }

    @Test("lifetimes are tried in the tiers that a cache has, and through a change of their capacities")
    func lifetimes() throws {
        let mebi = 1_048_576
        for (capabilities, capacities, resizes) in [
            ([.memory, .expiry], [mebi, 0], []),
            ([.disk, .expiry, .resize], [0, mebi], [[0, mebi / 2], [0, mebi]]),
            ([.memory, .expiry, .resize], [mebi, 0], [[mebi / 2, 0], [mebi, 0]]),
            ([.memory, .disk, .expiry, .resize], [30_000, mebi], [[30_000, mebi / 2], [30_000, mebi]]),
        ] as [(SubjectCapabilities, [Int], [[Int]])] {
            let script = Script()
            script.capabilities = capabilities
            let reason = "found it, although its lifetime is over"
            #expect(
                try script.verdict("expired", clock: TrialClock(now: { 1 }, pause: {})) == .broken(reason: reason))
            #expect(script.capacities == [capacities] && script.resizes == resizes)
        }
        // The request expires, and the entries beside it do not.
        let script = Script()
        script.capabilities = [.memory, .expiry]
        script.answer = { request, number, stored in number == 3 ? nil : stored }
        #expect(
            try script.verdict("expired", clock: TrialClock(now: { 1 }, pause: {}))
                == .broken(reason: "found https://many.example/0"))
    }

    @Test("a negative capacity may be refused, and whoever takes it has no cache") func negative() throws {
        struct Refused: Error {}
        let refusing = Script()
        refusing.opened = { _ in throw Refused() }
        #expect(try refusing.verdict("capacity-negative") == .kept)
        #expect(refusing.capacities == [[-200_000, 0]])
        #expect(try Script().verdict("capacity-negative") == .broken(reason: "found something"))
    }
}
