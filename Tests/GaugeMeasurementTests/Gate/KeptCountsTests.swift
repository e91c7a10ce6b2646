import Foundation
import TestSupport
import Testing

@testable import GaugeMeasurement

/// The counts of a base that the next gate need not take.
@Suite("Kept counts of a base") struct KeptCountsTests {
    private static let key = BaselineKey(
        swift: "6.3.1", architecture: "x86_64", libc: "glibc 2.36", features: [], valgrind: "3.19.0")

    private static func count(_ instructions: Double) -> KeptCounts.Count {
        KeptCounts.Count(
            whole: InstructionCount(
                perOperation: instructions, systemCalls: 1, operations: 1_000,
                functions: [.init(name: "f", perOperation: 2.5)]), each: nil)
    }

    /// What a job is answered with: its kept count, or 7 if it has to be counted.
    private static func answer(_ kept: KeptCounts, _ job: KeptCounts.Job) -> KeptCounts.Count {
        kept.count(job) { count(7) }
    }

    @Test("a count that was kept is not taken again, by the next process either") func kept() throws {
        let scratch = try ScratchDirectory()
        let job = KeptCounts.Job("a/b/c", repetition: 0, operations: 1_000, sequence: 2_048)
        let first = KeptCounts(beside: scratch.path, key: Self.key, settings: RunSettings())
        #expect(first.count(job) { Self.count(42) } == Self.count(42))
        #expect(Self.answer(first, job) == Self.count(42))
        #expect(
            Self.answer(KeptCounts(beside: scratch.path, key: Self.key, settings: RunSettings()), job) == Self.count(7))
        first.save()
        let second = KeptCounts(beside: scratch.path, key: Self.key, settings: RunSettings())
        #expect(Self.answer(second, job) == Self.count(42))
    }

    @Test("another job, other surroundings and other settings are counted") func others() throws {
        let scratch = try ScratchDirectory()
        let job = KeptCounts.Job("a/b/c", repetition: 0, operations: 1_000, sequence: 2_048)
        let kept = KeptCounts(beside: scratch.path, key: Self.key, settings: RunSettings())
        _ = kept.count(job) { Self.count(42) }
        kept.save()
        for other in [
            KeptCounts.Job("a/b/d", repetition: 0, operations: 1_000, sequence: 2_048),
            KeptCounts.Job("a/b/c", repetition: 1, operations: 1_000, sequence: 2_048),
            KeptCounts.Job("a/b/c", repetition: 0, operations: 100, sequence: 2_048),
            KeptCounts.Job("a/b/c", repetition: 0, operations: 1_000, sequence: 256),
        ] { #expect(Self.answer(kept, other) == Self.count(7), "\(other)") }
        var (key, settings) = (Self.key, RunSettings())
        key.valgrind = "3.22.0"
        settings.seed += 1
        for other in [
            KeptCounts(beside: scratch.path, key: key, settings: RunSettings()),
            KeptCounts(beside: scratch.path, key: Self.key, settings: settings),
        ] { #expect(Self.answer(other, job) == Self.count(7)) }
    }

    @Test("a file that cannot be read is counted anew", arguments: ["", "{", "[]", "{\"counts\": {\"a\": 1}}"])
    func damaged(text: String) throws {
        let scratch = try ScratchDirectory()
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(scratch.path)/counts.json"))
        let kept = KeptCounts(beside: scratch.path, key: Self.key, settings: RunSettings())
        let job = KeptCounts.Job("a/b/c", repetition: 0, operations: 1_000)
        #expect(Self.answer(kept, job) == Self.count(7))
        kept.save()
        #expect(
            Self.answer(KeptCounts(beside: scratch.path, key: Self.key, settings: RunSettings()), job) == Self.count(7))
    }

    @Test("a count that fails is not kept") func failing() throws {
        struct Failure: Error {}
        let scratch = try ScratchDirectory()
        let kept = KeptCounts(beside: scratch.path, key: Self.key, settings: RunSettings())
        let job = KeptCounts.Job("a/b/c", repetition: 0, operations: 1_000)
        #expect(throws: Failure.self) { try kept.count(job) { throw Failure() } }
        #expect(Self.answer(kept, job) == Self.count(7))
    }
}
