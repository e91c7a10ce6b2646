import TestSupport
import Testing

@testable import GaugeMeasurement
@testable import GaugeKit

/// The usages at which the promise is just kept, and those at which it is just broken.
@Suite("Judge of the reported usage") struct UsageJudgeTests {
    /// When a subject is asked what it holds.
    private enum Moment: Equatable {
        case full
        /// After all keys were removed, and how often that was asked before.
        case empty(Int)
        /// After the same entries were stored in a new subject.
        case afresh
    }

    private static let sequence = ModelSequence(.usage, seed: 1, capabilities: [.memory, .capacity])
    private static let onDisk = ModelSequence(.usage, seed: 1, capabilities: [.disk, .capacity])

    /// The fault that is found if the subject reports this, by the bodies that it holds.
    private static func fault(
        _ sequence: ModelSequence = sequence,
        _ usage: @escaping (_ moment: Moment, _ bytes: Int, _ entries: Int) -> (bytes: Int?, entries: Int?)
    ) throws -> String? {
        let scratch = try ScratchDirectory()
        let script = Script()
        script.capabilities = sequence.memory > 0 ? [.memory, .capacity] : [.disk, .capacity]
        script.opened = { _ in script.clear() }
        var asked = 0
        script.usage = { _ in
            let bytes = script.entries.values.reduce(0) { $0 + $1.count }
            var moment = script.capacities.count == 1 ? Moment.full : .afresh
            if moment == .full, bytes == 0 {
                moment = .empty(asked)
                asked += 1
            }
            let told = usage(moment, bytes, script.entries.count)
            return sequence.memory > 0
                ? SubjectUsage(memoryBytes: told.bytes, memoryEntries: told.entries)
                : SubjectUsage(diskBytes: told.bytes, diskEntries: told.entries)
        }
        return try Script.$current.withValue(script) {
            let trial = Trial(ScriptedSubject.self, parent: scratch.path) { _ in }
            defer { trial.clean() }
            try trial.begin(memory: sequence.memory, disk: sequence.disk)
            let subject = LocalSteps(sequence, trial)
            var judge = UsageJudge()
            for number in sequence.steps.indices where sequence.steps[number] != .readUsage {
                let answer = try subject.perform(number)
                try judge.judge(sequence.steps[number], version: UInt64(number + 1), answer, sequence)
            }
            do {
                try judge.end(sequence, trial)
            } catch let error as PromiseBroken {
                return error.description
            }
            return nil
        }
    }

    @Test("a subject that reports its bodies keeps the promise, and one that reports nothing cannot be judged")
    func control() throws {
        #expect(try Self.fault { ($1, $2) } == nil)
        #expect(try Self.fault(Self.onDisk) { ($1, $2) } == nil)
        #expect(throws: PromiseNotApplicable.self) { try Self.fault { _, _, _ in (nil, nil) } }
    }

    @Test("bytes in use are at least those of the bodies that are found, in memory and on disk") func bodies() throws {
        for sequence in [Self.sequence, Self.onDisk] {
            var held = 0
            let fault = try Self.fault(sequence) { moment, bytes, entries in
                if moment == .full { held = bytes }
                return (moment == .full ? bytes - 1 : bytes, entries)
            }
            #expect(fault == "\(held - 1) bytes in use, although \(held) bytes of bodies were found")
        }
    }

    @Test("an emptied memory uses a fiftieth of its capacity and 1 KiB at most, and no more than one entry")
    func emptied() throws {
        let most = Self.sequence.memory / 50 + 1_024
        for bytes in [-most - 1, -most, most, most + 1] {
            let fault = try Self.fault { moment, held, entries in
                if case .empty = moment { return (bytes, entries) }
                return (held, entries)
            }
            #expect(fault == (abs(bytes) > most ? "\(bytes) bytes in use after all keys were removed" : nil))
        }
        for count in [-2, -1, 1, 2] {
            for sequence in [Self.sequence, Self.onDisk] {
                let fault = try Self.fault(sequence) { moment, held, entries in
                    if case .empty = moment { return (held, count) }
                    return (held, entries)
                }
                #expect(fault == (abs(count) > 1 ? "\(count) entries in use after all keys were removed" : nil))
            }
        }
    }

    @Test("usage is that of a new subject with the same entries, but for a tenth and one entry or 1 KiB")
    func afresh() throws {
        // So that a tenth differs from a ninth and from an eleventh.
        let (once, held) = (54, 100_000)
        var count = 0
        for difference in [-7, -6, 6, 7] {
            let fault = try Self.fault { moment, bytes, entries in
                if moment == .full { count = entries }
                return (bytes, moment == .full ? once + difference : moment == .afresh ? once : entries)
            }
            let reason = "\(once + difference) entries in use; a new cache with the same \(count) entries has \(once)"
            #expect(fault == (abs(difference) > 6 ? reason : nil))
        }
        for difference in [-11_025, -11_024, 11_024, 11_025] {
            let fault = try Self.fault { moment, bytes, entries in
                (moment == .full ? held + difference : moment == .afresh ? held : bytes, entries)
            }
            let reason = "\(held + difference) bytes in use; a new cache with the same \(count) entries uses \(held)"
            #expect(fault == (abs(difference) > 11_024 ? reason : nil))
        }
    }

    @Test("bytes that are counted again and again add up, in either direction") func drift() throws {
        let count = Self.sequence.steps.count
        let least = (1 + 2_000 / count) * count / 64
        try #require(least > 1)
        for growth in [-least, 1 - least, 0, least - 1, least] {
            let fault = try Self.fault { moment, held, entries in
                if case .empty(let asked) = moment { return (asked * growth, entries) }
                return (held, entries)
            }
            let usages = (1...4).map { "\($0 * growth)" }.joined(separator: ", ")
            let reason = "\(usages) bytes in use, each time without an entry"
            #expect(fault == (abs(growth) < least ? nil : reason), "\(growth)")
        }
        // Not each time, so it is no drift.
        let fault = try Self.fault { moment, held, entries in
            if case .empty(let asked) = moment { return (asked == 3 ? 0 : asked * least, entries) }
            return (held, entries)
        }
        #expect(fault == nil)
    }
}
