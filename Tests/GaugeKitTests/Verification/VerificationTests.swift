import PlantedGauge
import TestSupport
import Testing

@testable import GaugeKit
@testable import GaugeMeasurement
@testable import GaugeSupport
@testable import GaugeTraces

/// A cache in memory that keeps every promise it can, except for the one that a test removes.
class Faithful: CacheSubject {
    class var name: String { "faithful" }
    class var capabilities: SubjectCapabilities { [.memory, .capacity] }
    class var limits: SubjectLimits { .urlCache }
    class var verified: any CacheSubject.Type { self }
    fileprivate var lru: ExactLRU
    fileprivate var bodies: [String: [UInt8]] = [:]
    fileprivate var ids: [String: UInt64] = [:]
    fileprivate let capacity: Int

    required init(_ configuration: SubjectConfiguration) {
        capacity = configuration.memoryCapacity
        lru = ExactLRU(capacity: .bytes(capacity, largest: capacity / 20))
    }

    func key(for url: String) throws -> String { try FlawedKey(SubjectRequest(url), .none).text }

    func lookUp(_ key: String, _ read: (UnsafeRawBufferPointer) -> Void) throws -> Outcome {
        guard let id = ids[key], lru.lookUp(id), let body = bodies[key] else { return .miss }
        body.withUnsafeBytes(read)
        return .memoryHit
    }

    func store(_ body: UnsafeRawBufferPointer, for key: String) -> Outcome {
        let id = ids[key] ?? UInt64(ids.count)
        ids[key] = id
        bodies[key] = Array(body)
        lru.store(id, size: body.count + key.utf8.count)
        return .store
    }

    func remove(_ key: String) { ids[key].map { lru.remove($0) } }

    var usage: SubjectUsage { SubjectUsage(memoryBytes: lru.bytes) }
}

private final class WithoutQuery: Faithful {
    override func key(for url: String) throws -> String {
        String(try super.key(for: url).prefix { $0 != "?" })
    }
}

private final class FirstInFirstOut: Faithful {
    override func lookUp(_ key: String, _ read: (UnsafeRawBufferPointer) -> Void) throws -> Outcome {
        guard let id = ids[key], lru.contains(id), let body = bodies[key] else { return .miss }
        body.withUnsafeBytes(read)
        return .memoryHit
    }
}

private final class Swollen: Faithful {
    required init(_ configuration: SubjectConfiguration) {
        super.init(configuration)
        lru = ExactLRU(capacity: .bytes(capacity + 1_000, largest: capacity / 20))
    }
}

private class TakesAll: Faithful {
    required init(_ configuration: SubjectConfiguration) {
        super.init(configuration)
        lru = ExactLRU(capacity: .bytes(capacity, largest: capacity))
    }
}

/// The same, which does not say what it admits.
private final class TakesAllAndSaysSo: TakesAll {
    override class var limits: SubjectLimits { SubjectLimits(zero: .nothing) }
}

private final class NeverRemoves: Faithful {
    override func remove(_ key: String) {}
}

/// Is verified in place of another subject, as far as that one is able.
private final class StoodInFor: Faithful {
    override class var name: String { "stood-in-for" }
    override class var capabilities: SubjectCapabilities { [.memory, .capacity, .collisions] }
    override class var verified: any CacheSubject.Type { Faithful.self }
}

@Suite("Verification of promises") struct VerificationTests {
    /// The verdicts by promise, and the steps of the last trial of each broken promise.
    private func verify(
        _ type: any CacheSubject.Type, _ flaw: Flaw = .none, among promises: [Promise] = Promise.fixed
    ) throws -> (broken: Set<String>, steps: [String: [String]]) {
        var (broken, told): (Set<String>, [String: [String]]) = ([], [:])
        var model = ModelSettings()
        // Of which a third are stores of what is never looked up again.
        if !isNightly { model.seconds = 1 }
        for promise in promises where type.capabilities.isSuperset(of: promise.needs) {
            let scratch = try ScratchDirectory()
            var steps: [String] = []
            let verdict = Flaw.$current.withValue(flaw) {
                withSteppedTime { clock in
                    let trial = Trial(type, parent: scratch.path, clock: clock, heapInUse: { nil }, model: model) {
                        if let step = $0 { steps.append(step) } else { steps = [] }
                    }
                    return promise.verdict(trial)
                }
            }
            if case .broken(let reason) = verdict {
                broken.insert(promise.name)
                told[promise.name] = steps + [reason]
            }
        }
        return (broken, told)
    }

    @Test("a cache that keeps what it promises is not blamed for anything") func faithful() throws {
        let (broken, steps) = try verify(Faithful.self)
        #expect(broken.isEmpty, "\(steps)")
    }

    @Test("each planted defect breaks its promise, and no other") func planted() throws {
        let queries: Set = [
            "key-query", "key-empty-query", "key-plus", "key-repeated", "key-value", "key-order", "key-no-value",
            "key-empty-parameter", "key-query-case", "key-campaign", "key-encoding",
        ]
        let defects: [(type: any CacheSubject.Type, broken: Set<String>)] = [
            (WithoutQuery.self, queries), (FirstInFirstOut.self, ["lru", "used-kept"]),
            (Swollen.self, ["memory-held"]), (TakesAll.self, ["too-large"]), (TakesAllAndSaysSo.self, []),
            (NeverRemoves.self, ["removed"]),
        ]
        // Of the promises that are kept, each night all, and each time one in four.
        let tried = Promise.fixed.enumerated().filter { isNightly || $0.offset % 4 == 0 }.map(\.element.name)
        for (type, broken) in defects {
            let promises = Promise.fixed.filter { tried.contains($0.name) || broken.contains($0.name) }
            #expect(try verify(type, among: promises).broken == broken, "\(type)")
        }
    }

    @Test("each defect of dates, policies and collisions breaks its promises, and no other")
    func plantedDuties() throws {
        let since: Set = ["removed-since-memory", "removed-since-disk", "removed-since-reopened"]
        let duties: [(flaw: Flaw, broken: Set<String>)] = [
            (.none, []), (.removesAnyDate, since), (.removesNoDate, since),
            (.writesMemoryOnly, ["memory-only", "memory-only-superseding"]),
            (.memoryOnlyKeepsFile, ["memory-only-superseding"]), (.notAllowedKeepsOld, ["not-allowed"]),
            (.comparesHashes, ["colliding-memory", "colliding-disk"]),
        ]
        for (flaw, broken) in duties {
            let found = try verify(FlawedCache.self, flaw, among: Promise.policies + Promise.collisions).broken
            #expect(found == broken, "\(flaw)")
        }
    }

    @Test("what the stand-in of a subject cannot do, the subject itself is put to") func standIns() throws {
        let collided = try #require(Promise.all.first { $0.name == "colliding-memory" })
        let query = try #require(Promise.all.first { $0.name == "key-query" })
        #expect(collided.driven(StoodInFor.self).name == "stood-in-for")
        #expect(query.driven(StoodInFor.self).name == "faithful")
        #expect(collided.lacking(StoodInFor.self).isEmpty)
        #expect(collided.lacking(Faithful.self) == ["a hash on which all keys collide"])
    }

    @Test("a broken promise is told with the few steps that lead there, and whose body was served")
    func reproducer() throws {
        let steps = try verify(WithoutQuery.self, among: Promise.chosen("key-query")).steps["key-query"]
        #expect(
            steps == [
                "open with 1 MiB of memory and 0 B of disk",
                "store https://a.example/p?v=1: version 1, 1000 bytes", "look up https://a.example/p?v=2",
                "answered with the body of https://a.example/p?v=1",
            ])
    }

    @Test("several promises at a time are told in their order, and the first error ends all") func lanes() throws {
        let names = ["key-query", "removed", "lru", "key-hook", "overwritten"]
        let promises = try names.map { try Promise.chosen($0)[0] }
        let verification = try Verification(
            executable: RunningChild.path(of: "PlantedGauge"), subject: FlawedCache.self,
            directory: TemporaryDirectory(in: nil), seconds: 3_600, interruption: nil)
        defer { verification.directory.remove() }
        var (awaited, told): ([Int], [String]) = ([], [])
        try verification.findOut(promises, lanes: 3) {
            awaited.append($0)
        } take: {
            told.append($0.promise.name)
        }
        #expect(told == names)
        #expect(awaited == Array(names.indices))
        told = []
        #expect(throws: UsageError.self) {
            try verification.findOut(promises, lanes: 2, next: { _ in }) {
                told.append($0.promise.name)
                throw UsageError("enough")
            }
        }
        #expect(told == ["key-query"])
    }

    @Test("a cache is not accused of a full disk") func fullDisk() throws {
        // Not a gauge: its worker ends at once.
        var verification = try Verification(
            executable: "/bin/sh", subject: FlawedCache.self, directory: TemporaryDirectory(in: nil), seconds: 3_600,
            interruption: nil)
        defer { verification.directory.remove() }
        let promise = try Promise.chosen("removed")[0]
        for (free, accuses) in [(nil, true), (16 << 20, true), ((16 << 20) - 1, false), (0, false)] as [(Int?, Bool)] {
            verification.freeBytes = { _ in free }
            guard !accuses else {
                guard case .broken = try verification.findOut(promise).verdict else {
                    Issue.record("it is kept")
                    continue
                }
                continue
            }
            let error = #expect(throws: GaugeError.self) { try verification.findOut(promise) }
            #expect(error?.description.contains(", so it accuses no cache: ") == true, "\(error as Any)")
        }
        for (free, isRoom) in [(nil, true), (32 << 20, true), ((32 << 20) - 1, false)] as [(Int?, Bool)] {
            verification.freeBytes = { _ in free }
            #expect(((try? verification.requireRoom()) != nil) == isRoom)
        }
    }

    @Test("a long userInfo is told by its beginning") func longUserInfo() throws {
        let scratch = try ScratchDirectory()
        var told: [String] = []
        let trial = Trial(FlawedCache.self, parent: scratch.path) { told += $0.map { [$0] } ?? [] }
        try trial.begin()
        for count in [10, 40_000] {
            let userInfo: [String: PropertyValue] = ["text": .text(String(repeating: "m", count: count))]
            try trial.store(SubjectRequest("https://a.example/p"), userInfo: userInfo)
        }
        let steps = told.suffix(2)
        #expect(steps.first?.contains("mmmmmmmmmm") == true && steps.first?.contains("…") == false)
        #expect(steps.last.map { $0.count < 300 && $0.hasSuffix("mmm…") } == true, "\(steps)")
    }

    @Test("promise names are unique, and an unknown one is answered with the nearest") func names() throws {
        #expect(Set(Promise.all.map(\.name)).count == Promise.all.count)
        let error = try #require(throws: UsageError.self) { try Promise.chosen("key-querry") }
        #expect(error.description.contains("did you mean key-query?"))
    }

    @Test("property lists go to Foundation and back unchanged") func propertyValues() {
        let value = PropertyValue.table([
            "a": .list([.text("é"), .whole(-7), .data([0, 255])]), "b": .table(["c": .list([])]),
        ])
        #expect(PropertyValue(value.plain) == value)
        #expect(PropertyValue(Set([1])) == nil)
    }
}
