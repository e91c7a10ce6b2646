import Foundation
import TestSupport
import Testing

@testable import GaugeMeasurement
@testable import GaugeKit
@testable import GaugeSupport
@testable import GaugeTraces

/// What rows report of a subject with one fault.
@Suite("Rows of faulty subjects") struct RowFaultsTests {
    /// Prepares a row of a subject with a fault and runs so many operations.
    private func answers(_ fault: Fault, _ row: Benchmark, operations: Int, directory: String = "") throws -> Answers {
        let context = RunContext(seed: 1, memoryCapacity: 1 << 20, diskCapacity: 1 << 20, directory: directory)
        let prepared = try FaultySubject.$fault.withValue(fault) { try row.prepare(context) }
        var recorder = LatencyRecorder()
        switch prepared.body {
        case .batched(let body): body(operations)
        case .timed(let body): body(operations, &recorder)
        case .threaded(let threads, let body): for thread in 0..<threads { body(thread, operations) }
        }
        return context.answers
    }

    @Test("the rows on threads count every miss, body of another key and error, and report them in one answer")
    func threads() throws {
        let rows = SubjectBenchmarks.memory(FaultySubject.self, isPeer: true)
        // The subject holds the first thousand of four.
        var asked = ZipfKeys(objects: 4_000, exponent: 0.9, seed: 1)
        let held = (0..<30).count { _ in asked.next() < 1_000 }
        try #require(held > 10 && held < 30)
        for (name, fault, wrong) in [
            ("hits", .none, nil), ("hits", .misses, 30), ("hits", .otherBody, 30), ("zipf", .none, nil),
            ("zipf", .misses, nil), ("zipf", .storeFails, 30), ("zipf", .otherBody, held),
        ] as [(String, Fault, Int?)] {
            let row = try #require(rows.first { $0.name.description == "memory/\(name)/1k/1-thread/faulty" })
            let expected = wrong.map {
                WrongAnswer(
                    key: "30 keys on thread 0", expected: "their bodies, without errors", got: "\($0) other answers",
                    history: [])
            }
            let first = try answers(fault, row, operations: 30).first
            #expect(first == (expected.map { [$0] } ?? []), "\(name), \(fault)")
        }
    }

    @Test("a stored body that is missing is wrong where each has to be kept, and fine where it may be refused")
    func missingStores() throws {
        let work = SubjectCase("memory", "store/1k", tier: .memory, bodyCount: 1_024, entries: 500)
        let kept = SubjectBenchmarks.batchedStore(FaultySubject.self, work)
        let found = try answers(.misses, kept, operations: 3)
        #expect(found.count == 1 && found.first.map(\.got) == ["a miss"], "\(found.first)")
        #expect(found.first.map(\.expected) == ["the version that was stored last"])
        #expect(try answers(.none, kept, operations: 3).count == 0)
        let evicting = SubjectBenchmarks.batchedStoreEvict(FaultySubject.self, work)
        #expect(try answers(.misses, evicting, operations: 3).count == 0)
        #expect(try answers(.otherBody, evicting, operations: 3).count == 1)
    }

    @Test("the files of a hit row are brought to disk before every 64th lookup, where the row says so, and never else")
    func pages() throws {
        let scratch = try ScratchDirectory()
        // A file that cannot be opened is reported each time.
        symlink(scratch.path + "/nothing", scratch.path + "/pages")
        for (pages, count) in [(PageState.asLeft, 0), (.dropped, 3), (.writtenBack, 3)] {
            var work = SubjectCase("disk", "hit/4k", tier: .disk, bodyCount: 4096)
            work.pages = pages
            let row = SubjectBenchmarks.hit(FaultySubject.self, work)
            #expect(try answers(.none, row, operations: 129, directory: scratch.path).count == count, "\(pages)")
        }
    }

    @Test("the files of a store row are brought to disk after each eighth of a filling, where the row says so")
    func storedPages() throws {
        let scratch = try ScratchDirectory()
        symlink(scratch.path + "/nothing", scratch.path + "/pages")
        // 257 entries overfill the tier, so that an eighth are 32.
        func reports(_ pages: PageState) throws -> Int {
            var work = SubjectCase("disk", "store/4k", tier: .disk, bodyCount: 4096)
            work.pages = pages
            let row = SubjectBenchmarks.store(FaultySubject.self, work)
            return try answers(.none, row, operations: 65, directory: scratch.path).count
        }
        #expect(try reports(.asLeft) == 0)
        #expect(try reports(.writtenBack) == 3)
    }
}

private enum Fault { case none, misses, otherBody, storeFails }

/// Keeps the entries that come first, up to its limit, except for its fault, which begins when it is filled.
private final class FaultySubject: CacheSubject {
    struct Failure: Error {}

    static let name = "faulty"
    static let capabilities: SubjectCapabilities = [.memory, .disk, .threads, .entryLimit]
    @TaskLocal static var fault = Fault.none

    private let fault = FaultySubject.fault
    private let hit: Outcome
    private var bodies: [String: [UInt8]] = [:]
    private var isFilled = false
    private let limit: Int

    init(_ configuration: SubjectConfiguration) {
        hit = configuration.hitOfUnknownTier
        limit = configuration.entryLimit ?? .max
    }

    func key(for url: String) -> String { url }

    func fill(with entries: FillEntries) throws {
        try entries.forEach { url, body in keep(body, for: url) }
        isFilled = true
    }

    func lookUp(_ key: String, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome {
        guard fault == .none || fault == .otherBody, let body = bodies[key] else { return .miss }
        let other = bodies.keys.first { $0 != key }.flatMap { bodies[$0] }
        (fault == .otherBody ? other ?? body : body).withUnsafeBytes(read)
        return hit
    }

    func store(_ body: UnsafeRawBufferPointer, for key: String) throws -> Outcome {
        if fault == .storeFails, isFilled { throw Failure() }
        keep(body, for: key)
        return .store
    }

    private func keep(_ body: UnsafeRawBufferPointer, for key: String) {
        if bodies[key] != nil || bodies.count < limit { bodies[key] = Array(body) }
    }

    func remove(_ key: String) { bodies[key] = nil }
}
