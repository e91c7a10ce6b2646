import PlantedGauge
import TestSupport
import Testing

@testable import GaugeMeasurement
@testable import GaugeKit

/// The judges of random sequences, by steps and answers that a test makes up.
@Suite("Judges of random sequences") struct ModelJudgeTests {
    private static let all: SubjectCapabilities = [.memory, .disk, .persistence, .capacity, .resize]

    /// The version found, or `nil` for a miss, by the number of the step; a hit of no particular tier.
    private static func answer(_ step: ModelStep, _ version: UInt64?) -> ModelAnswer {
        guard case .lookUp(let key) = step else { return .done }
        return version.map { .found(key: UInt64(key), version: $0, count: 10, .hit) } ?? .missed
    }

    /// Steps with the versions that lookups find. The number of a step is the version that it stores, from 1.
    private static func fault(_ kind: ModelSequence.Kind, _ steps: [(ModelStep, UInt64?)]) throws -> String? {
        let scratch = try ScratchDirectory()
        let trial = Trial(FlawedCache.self, parent: scratch.path) { _ in }
        trial.keepsMemoryWhenReopened = true
        let sequence = ModelSequence(kind, seed: 1, capabilities: all)
        var judge = try sequence.kind.judge(sequence, trial)
        do {
            for (number, (step, version)) in steps.enumerated() {
                try judge.judge(step, version: UInt64(number + 1), answer(step, version), sequence)
            }
        } catch let error as PromiseBroken {
            return error.description
        }
        return nil
    }

    private static let store = (ModelStep.store(key: 0, bytes: 10), nil as UInt64?)
    private static let kill = (ModelStep.kill(storing: 0, bytes: 10), nil as UInt64?)
    private static let remove = (ModelStep.remove(key: 0), nil as UInt64?)
    private static let settle = (ModelStep.settle, nil as UInt64?)
    private static let reopen = (ModelStep.reopen, nil as UInt64?)
    private static func look(_ version: UInt64?) -> (ModelStep, UInt64?) { (.lookUp(key: 0), version) }

    /// The steps, and the versions that may be found after them.
    static let answers: [(steps: [(ModelStep, UInt64?)], right: [UInt64])] = [
        ([store], [1]), ([store, store], [2]), ([store, remove], []), ([remove], []), ([store, settle, store], [3]),
        ([store, reopen], [1]), ([store, store, reopen], [2]),
        // What was stored when the process was killed may be lost, and what was not settled before.
        ([store, settle, kill], [1, 3]), ([store, kill], [1, 2]), ([kill], [1]), ([store, store, kill], [1, 2, 3]),
        ([store, reopen, kill], [1, 3]), ([store, settle, remove, kill], [1, 4]), ([store, settle, kill, store], [4]),
        // An answer shows which of them is on disk.
        ([store, settle, kill, look(1)], [1]), ([store, settle, kill, look(3)], [3]),
        ([store, settle, kill, look(nil)], [1, 3]), ([store, settle, kill, kill], [1, 3, 4]),
    ]

    @Test("a lookup may find nothing, or a version that may still be there, and no other", arguments: answers.indices)
    func versions(number: Int) throws {
        let (steps, right) = Self.answers[number]
        for kind in [ModelSequence.Kind.answers, .killed, .threads] {
            for version in 1...UInt64(steps.count + 1) {
                let fault = try Self.fault(kind, steps + [Self.look(version)])
                #expect((fault == nil) == right.contains(version), "\(kind) \(version): \(fault ?? "no fault")")
            }
            #expect(try Self.fault(kind, steps + [Self.look(nil)]) == nil)
        }
    }

    @Test("what was stored and not removed must be found where there is room for all") func kept() throws {
        let missing = "found nothing, although there is room for many times as much as was stored"
        for (steps, isKept) in [
            ([Self.store], true), ([Self.kill], true), ([Self.store, Self.remove], false), ([], false),
            ([Self.store, Self.remove, Self.store], true), ([Self.store, Self.settle, Self.reopen], true),
            ([Self.remove, Self.kill], true),
        ] {
            #expect(try Self.fault(.kept, steps + [Self.look(nil)]) == (isKept ? missing : nil), "\(steps)")
            #expect(try Self.fault(.kept, steps + [Self.look(1)]) == nil)
        }
    }

    @Test("entries are there after reopening where a disk keeps them, and with memory before it where a try shows it")
    func reopening() throws {
        let scratch = try ScratchDirectory()
        func survives(_ type: any CacheSubject.Type, _ capabilities: SubjectCapabilities, known: Bool? = nil) throws
            -> Bool
        {
            let trial = Trial(type, parent: scratch.path) { _ in }
            defer { trial.clean() }
            try trial.startOver()
            trial.keepsMemoryWhenReopened = known
            return try KeptJudge.survivesReopening(ModelSequence(.kept, seed: 1, capabilities: capabilities), trial)
        }
        #expect(FlawedCache.capabilities.contains(.persistence) && !HonestSubject.capabilities.contains(.persistence))
        #expect(try !survives(FlawedCache.self, [.memory, .capacity]))
        #expect(try survives(FlawedCache.self, [.disk, .capacity, .persistence]))
        #expect(try !survives(HonestSubject.self, [.disk, .capacity]))
        #expect(try survives(FlawedCache.self, Self.all, known: true))
    }
}
