import TestSupport
import Testing

@testable import GaugeKit
@testable import GaugeMeasurement

@Suite("Promises about room, in other orders") struct PlainCacheTests {
    private func verdict(
        _ promise: Promise, _ type: any CacheSubject.Type, seconds: Double = 0.2
    ) throws -> PromiseVerdict {
        let scratch = try ScratchDirectory()
        var model = ModelSettings()
        model.seconds = seconds
        return promise.verdict(Trial(type, parent: scratch.path, heapInUse: { nil }, model: model) { _ in })
    }

    private func verdict(
        _ name: String, _ type: any CacheSubject.Type, seconds: Double = 0.2
    ) throws -> PromiseVerdict {
        try verdict(try #require(Promise.all.first { $0.name == name }), type, seconds: seconds)
    }

    @Test(
        "a right cache is accused of nothing, whatever it evicts first and whatever it refuses",
        arguments: nightly(
            [
                LFUCache.self, TinyLFUCache.self, PlainCache.self, ShardedFIFO.self, PlainDisk.self, SmallBodies.self,
                ShorterBodies.self, SmallFiles.self, TinyBodies.self, LimitedBodies.self,
            ], else: [LFUCache.self, ShardedFIFO.self, PlainDisk.self]) as [any CacheSubject.Type])
    func right(type: any CacheSubject.Type) throws {
        // Of many keys there is a test, and each eviction here looks at all entries.
        for promise in Promise.all where promise.lacking(type).isEmpty && promise.name != "model-keys" {
            if case .broken(let reason) = try verdict(promise, type) { Issue.record("\(promise.name): \(reason)") }
        }
    }

    @Test(
        "promises are tried where uses count, in memory and on disk",
        arguments: [
            ("just-stored-memory", LFUCache.self), ("just-stored-memory", TinyLFUCache.self),
            ("used-kept", LFUCache.self), ("used-kept", TinyLFUCache.self), ("room-memory", TinyLFUCache.self),
            ("just-stored-disk", SmallFiles.self), ("stored-last-disk", SmallFiles.self),
            ("model-held", SmallBodies.self), ("model-held", ShorterBodies.self),
            ("lru", TinyBodies.self), ("replaced-place", TinyBodies.self), ("memory-raised", TinyBodies.self),
            ("used-kept", TinyBodies.self), ("model-kept", TinyBodies.self), ("model-held", LimitedBodies.self),
            ("lru", LimitedBodies.self), ("model-kept", LimitedBodies.self), ("caller-copy", LimitedBodies.self),
            ("too-large", LimitedBodies.self), ("cleared", TinyLFUCache.self), ("cleared", ShardedFIFO.self),
            ("cleared", PlainDisk.self),
        ] as [(String, any CacheSubject.Type)])
    func tried(promise: String, type: any CacheSubject.Type) throws {
        #expect(try verdict(promise, type) == .kept)
    }

    @Test(
        "a cache that never gives back what a removal or a replacement frees breaks a promise, in any order and tier",
        arguments: [
            ("room-memory", LeakyFIFO.self), ("room-memory", ReplacingFIFO.self), ("room-memory", LeakyShards.self),
            ("room-disk", LeakyDisk.self), ("room-disk", ReplacingDisk.self),
        ] as [(String, any CacheSubject.Type)])
    func leaks(promise: String, type: any CacheSubject.Type) throws {
        guard case .broken(let reason) = try verdict(promise, type) else {
            Issue.record("\(promise) is kept by \(type)")
            return
        }
        #expect(reason.contains("000 bytes are held at most, at first"), "\(reason)")
    }

    @Test("what a limit leaves no room to try is not tried") func least() throws {
        let reason = "what it stores is too short to fill it, by its limits"
        for name in ["lru", "replaced-place", "used-kept", "memory-raised", "model-held", "model-kept"] {
            #expect(try verdict(name, LeastBodies.self) == .notApplicable(reason: reason), "\(name)")
        }
    }

    @Test("a largest body has a byte at least, and what is none is told") func bodies() {
        #expect(SubjectLimits(largestBody: 1).mistake == nil)
        #expect(
            SubjectLimits(largestBody: 0).mistake
                == "limits.largestBody of 0 admits nothing; pass a number of bytes, or nil for no limit")
    }

    @Test("a largest part is above 0 and at most 1, and what is none is told") func parts() {
        func mistake(_ part: Double?) -> String? { SubjectLimits(largestPart: part).mistake }
        for part in [nil, 0.05, 1, .leastNonzeroMagnitude] { #expect(mistake(part) == nil) }
        for part in [5, 0, -0.05, .infinity, .nan] { #expect(mistake(part) != nil, "\(part)") }
        #expect(
            mistake(5)
                == "limits.largestPart of 5.0 is no part of a capacity; pass 0.05 for 5 %, or nil for no limit")
    }

    @Test("a wrong order is found in a cache of short bodies, too") func small() throws {
        guard case .broken(let reason) = try verdict("model-held", SmallFIFO.self, seconds: 120) else {
            Issue.record("model-held is kept first in, first out")
            return
        }
        #expect(reason.contains("found nothing, although all that was used since then fits"), "\(reason)")
    }
}
