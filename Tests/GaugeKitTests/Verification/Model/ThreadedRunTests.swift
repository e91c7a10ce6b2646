import Foundation
import PlantedGauge
import TestSupport
import Testing

@testable import GaugeMeasurement
@testable import GaugeKit

/// The judgement after threads have used a cache. Without time for the threads only the entries are there with which
/// the cache was filled, so that the machine decides nothing.
@Suite("Usage after threads") struct ThreadedRunTests {
    /// Runs the threads of a sequence on a cache that reports this usage.
    private func run(_ sequence: ModelSequence, _ reported: @escaping @Sendable (SubjectUsage) -> SubjectUsage) throws {
        let scratch = try ScratchDirectory()
        var model = ModelSettings()
        model.seconds = 0
        try MistakenCache.$mistake.withValue(Mistake(reported: { usage, _ in reported(usage) })) {
            let trial = Trial(MistakenCache.self, parent: scratch.path, heapInUse: { nil }, model: model) { _ in }
            try ThreadedRun.run(sequence, steps: Array(sequence.steps.indices), isQuick: true, on: trial)
        }
    }

    /// A sequence for a cache with more keys than memory holds, and without a disk.
    private static func sequence() throws -> ModelSequence {
        let sequences = (0..<16).map {
            ModelSequence(.threads, seed: $0, capabilities: [.memory, .capacity, .threads])
        }
        return try #require(sequences.first { $0.tiers.evicts && $0.memory > 0 && $0.disk == 0 })
    }

    @Test("a usage within the capacity that counts the bodies, and nothing after their removal, is right")
    func right() throws {
        let sequence = try Self.sequence()
        let cases: [(name: String, usage: @Sendable (SubjectUsage) -> SubjectUsage)] = [
            ("as it is", { $0 }),
            ("the whole capacity", { ($0.memoryBytes ?? 0) > 0 ? SubjectUsage(memoryBytes: sequence.memory) : $0 }),
            (
                "the most that may be left counted, when the entries are gone",
                {
                    SubjectUsage(memoryBytes: max($0.memoryBytes ?? 0, sequence.memory / 50 + 1_024), memoryEntries: 1)
                }
            ),
        ]
        for (name, usage) in cases { #expect(throws: Never.self, "\(name)") { try run(sequence, usage) } }
    }

    @Test("a usage that is above the capacity, below the bodies, or not given back is told") func wrong() throws {
        let sequence = try Self.sequence()
        let (memory, left) = (sequence.memory, sequence.memory / 50 + 1_025)
        let cases: [(reason: String, usage: @Sendable (SubjectUsage) -> SubjectUsage)] = [
            ("\(memory + 1) bytes in use of \(memory)", { _ in SubjectUsage(memoryBytes: memory + 1) }),
            ("1 bytes in use, although", { _ in SubjectUsage(memoryBytes: 1) }),
            (
                "\(left) bytes in use after all keys were removed",
                { SubjectUsage(memoryBytes: max($0.memoryBytes ?? 0, left)) }
            ),
            ("2 entries in use after all keys were removed", { _ in SubjectUsage(memoryEntries: 2) }),
        ]
        for (reason, usage) in cases {
            let broken = #expect(throws: PromiseBroken.self) { try run(sequence, usage) }
            #expect(broken?.description.hasPrefix(reason) == true, "\(reason): \(String(describing: broken))")
        }
    }

    @Test(
        "what was stored before everything was removed is not right after it",
        arguments: [
            (Flaw.none, nil), (.clearKeepsFiles, "answered https://many.example/0 with version 1; current then: none"),
        ]
            as [(Flaw, String?)])
    func removedAll(flaw: Flaw, fault: String?) throws {
        let scratch = try ScratchDirectory()
        let trial = Trial(FlawedCache.self, parent: scratch.path, heapInUse: { nil }) { _ in }
        try Flaw.$current.withValue(flaw) { try trial.begin(memory: 0, disk: 1 << 20) }
        let operations: [ModelStep] = [
            .store(key: 0, bytes: 100), .store(key: 1, bytes: 100), .removeAll, .store(key: 1, bytes: 100),
            .lookUp(key: 1), .lookUp(key: 0),
        ]
        let concurrent = try ConcurrentTrial(
            trial, [Trial.many(0), Trial.many(1)], threads: 1, operations: operations.count
        ) { operations[$1] }
        var found: String?
        do { try concurrent.run() } catch { found = "\(error)" }
        #expect(found == fault && concurrent.blamed == (fault == nil ? nil : 0))
    }

    @Test("of many operations the first are told, and those of the key that shows a fault") func told() throws {
        let sequence = try Self.sequence()
        let scratch = try ScratchDirectory()
        var steps: [String] = []
        let lookedUp = sequence.steps.compactMap { if case .lookUp(let key) = $0 { key } else { nil } }
        let key = sequence.keys[try #require(lookedUp.first)]
        let mistake = Mistake(answered: { request, found in request == key ? found.map { _ in [0] } : found })
        let broken = #expect(throws: PromiseBroken.self) {
            try MistakenCache.$mistake.withValue(mistake) {
                let trial = Trial(MistakenCache.self, parent: scratch.path, heapInUse: { nil }) {
                    steps.append($0 ?? "")
                }
                try ThreadedRun.run(
                    sequence, steps: Array(sequence.steps.indices), isQuick: false, on: trial)
            }
        }
        #expect(broken?.description == "answered with damaged bytes, 1 of them")
        let lists = steps.filter { $0.contains("again and again") }
        #expect(lists.count == sequence.threads)
        for list in lists {
            #expect(list.contains("; and so on, ") && list.hasSuffix(" operations") && list.count < 400, "\(list)")
        }
        let own = steps.filter { $0.contains("of the key that shows it: ") }
        #expect(!own.isEmpty)
        for text in own.flatMap({ $0.split(separator: ": ", maxSplits: 1)[1].components(separatedBy: "; ") }) {
            #expect(text.contains(key.text), "\(text)")
        }
    }
}
