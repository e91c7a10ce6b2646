import Foundation
import PlantedGauge
import Synchronization
import TestSupport
import Testing

@testable import GaugeKit
@testable import GaugeMeasurement
@testable import GaugeSupport
@testable import GaugeTraces

/// The work that promises, random sequences and rows give to a subject. A figure that is off by one, an exchanged
/// argument or a changed default gives another hash.
@Suite("Recorded steps of verify and of rows") struct RecordedStepsTests {
    /// A clock that advances by a second with each reading.
    private static func clock() -> TrialClock {
        let seconds = Counted(1_000_000)
        return TrialClock(
            now: { Double(seconds.next()) }, pause: { seconds.skip(1) }, wait: { seconds.skip(Int($0.rounded(.up))) })
    }

    @Test("each promise that fixed steps try makes the calls and the notes that were recorded") func promises() throws {
        // What several threads do at the same time has no order.
        let ordered = Promise.fixed.filter { !$0.name.hasPrefix("concurrent") }
        var model = ModelSettings()
        // Whatever searches for some time does the least it may.
        model.seconds = 0
        model.heapSeconds = 3_600
        var lines: [String] = []
        for promise in ordered {
            let scratch = try ScratchDirectory()
            let (transcript, clock) = (Transcript(), Self.clock())
            let verdict = Transcript.$current.withValue(transcript) {
                FlawedClock.$source.withValue(.init(clock.now)) {
                    promise.verdict(
                        Trial(
                            Witness<FlawedCache>.self, parent: scratch.path, clock: clock, heapInUse: { 1_000_000 },
                            model: model
                        ) { step in
                            // A table of metadata has no order.
                            let text = step?.components(separatedBy: " userInfo [").first
                            transcript.add(text.map { "note " + $0 } ?? "begin")
                        })
                }
            }
            if case .broken(let reason) = verdict { Issue.record("\(promise.name) of a right cache: \(reason)") }
            lines.append("\(promise.name): \(verdict), \(transcript.summary())")
        }
        let text = lines.joined(separator: "\n") + "\n"
        #expect(RecordedText.differences(of: text, from: "Steps/promises.txt") == [])
    }

    @Test("the random sequence of a kind, a seed and some capabilities is the one that was recorded") func sequences() {
        let all: SubjectCapabilities = [
            .memory, .disk, .persistence, .capacity, .resize, .threads, .removalSince, .removalOfAll, .expiry,
            .counters,
        ]
        let sets: [(name: String, set: SubjectCapabilities)] = [
            ("all", all), ("memory", [.memory, .capacity, .threads]),
            ("disk", [.disk, .capacity, .persistence, .resize]),
            ("plain", [.memory, .disk, .threads]),
        ]
        var lines: [String] = []
        for kind in [ModelSequence.Kind.answers, .killed, .held, .kept, .usage, .threads] {
            for (name, set) in sets where !ModelTiers.choices(kind, set).isEmpty {
                let transcript = Transcript()
                var sizes = (steps: 0, keys: 0, memory: 0, disk: 0)
                for seed in 1...20 as ClosedRange<UInt64> {
                    let sequence = ModelSequence(kind, seed: seed, capabilities: set)
                    let whole = "\(sequence.threads) \(sequence.pauses) \(sequence.isInStep) \(sequence.tiers)"
                    transcript.add("sequence \(sequence.memory) \(sequence.disk) \(whole)")
                    #expect(
                        sequence.steps.allSatisfy { Self.isPossible($0, in: sequence, set) }, "\(kind) \(name) \(seed)")
                    for key in sequence.keys { transcript.add("key \(key.text)") }
                    for step in sequence.steps { transcript.add(step.text(sequence.keys, version: seed)) }
                    sizes.steps += sequence.steps.count
                    sizes.keys += sequence.keys.count
                    sizes.memory += sequence.memory
                    sizes.disk += sequence.disk
                }
                lines.append("\(kind.rawValue) \(name): \(sizes), \(transcript.summary())")
            }
        }
        let text = lines.joined(separator: "\n") + "\n"
        #expect(RecordedText.differences(of: text, from: "Steps/sequences.txt") == [])
    }

    /// Whether a step names one of the keys, and asks for nothing that the subject cannot do.
    private static func isPossible(
        _ step: ModelStep, in sequence: ModelSequence, _ capabilities: SubjectCapabilities
    ) -> Bool {
        switch step {
        case .store, .lookUp, .remove, .kill: step.key.map { sequence.keys.indices.contains($0) } ?? false
        case .resize: capabilities.contains(.resize)
        case .removeLater: capabilities.contains(.removalSince)
        case .removeAll: capabilities.contains(.removalOfAll)
        case .readUsage: capabilities.contains(.capacity)
        case .settle, .reopen: sequence.disk > 0
        }
    }

    private typealias Subject = Witness<PlainStore>

    /// Some rows of each kind, over few entries.
    private static var rows: [Benchmark] {
        let small = [
            "/1k/", "store/64k", "hit/16k", "disk/miss", "open/64k", "store-clean/64k", "store-flush", "hit-cold",
        ]
        let listed =
            SubjectBenchmarks.memory(Subject.self, isPeer: false)
            + SubjectBenchmarks.disk(Subject.self, isPeer: true, reference: "other") { ["of \($0)"] }
            + SubjectBenchmarks.diskAtLength(Subject.self, isPeer: false)
        let chosen = listed.filter { row in
            let name = row.name.description
            guard name.hasPrefix("memory/") else { return small.dropFirst().contains { name.contains($0) } }
            return name.contains("/1k/") && (!name.contains("-thread") || name.contains("/1-thread"))
        }
        func work(_ name: String, _ tier: SubjectTier, _ bytes: Int, isPeer: Bool = true) -> SubjectCase {
            SubjectCase("disk", name, tier: tier, bodyCount: bytes, isPeer: isPeer)
        }
        return chosen + [
            SubjectBenchmarks.hot(
                Subject.self, work("hot/16k", .disk, 16 << 10), untimed: 500, nanoseconds: .max / 4),
            SubjectBenchmarks.reclaim(
                Subject.self, work("zipf/1", .disk, 2_000, isPeer: false), exponent: 0.8, warm: 300, counted: 500),
            SubjectBenchmarks.mix(
                Subject.self, work("mix/disk", .disk, 0), counted: 500, nanoseconds: .max / 4),
            SubjectBenchmarks.mix(
                Subject.self, work("mix/memory", .memory, 0),
                workload: { seed in Workload(WorkloadPlan.preset("page-loads") ?? WorkloadPlan(), seed: seed) },
                counted: 300, nanoseconds: .max / 4),
        ]
    }

    @Test("each row prepares its subject, and does its operations, as was recorded") func operations() throws {
        var lines: [String] = []
        for row in Self.rows {
            let scratch = try ScratchDirectory()
            let context = RunContext(seed: 5, memoryCapacity: 1 << 20, diskCapacity: 4 << 20, directory: scratch.path)
            let transcript = Transcript()
            lines.append(
                "\(row.name): peer \(row.isPeer), reference \(row.reference), suites \(row.suites.sorted()), "
                    + "entries \(row.entries ?? 0)")
            try Transcript.$current.withValue(transcript) {
                let prepared = try row.prepare(context)
                lines.append("    \(prepared.outcome): \(transcript.summary())")
                var recorder = LatencyRecorder()
                for operations in [1, 50] {
                    switch prepared.body {
                    case .batched(let body): body(operations)
                    case .timed(let body): body(operations, &recorder)
                    case .threaded(let threads, let body): for thread in 0..<threads { body(thread, operations) }
                    }
                    let timed = recorder.histograms.map { "\($0.key.rawValue) \($0.value.count)" }.sorted()
                    lines.append("    \(timed): \(transcript.summary())")
                }
                #expect(context.answers.count == 0, "\(row.name): the store is right, and the row says otherwise")
                // Bytes that a process reads and rates depend on the machine.
                let figures = try prepared.figures().filter { $0.unit != .bytes }
                lines.append("    \(figures.map { "\($0.name) \($0.value)" }), wrong \(context.answers.count)")
            }
        }
        let text = lines.joined(separator: "\n") + "\n"
        #expect(RecordedText.differences(of: text, from: "Steps/rows.txt") == [])
    }
}

/// A number that several closures share.
private final class Counted: Sendable {
    private let value: Atomic<Int>
    init(_ value: Int) { self.value = Atomic(value) }
    func next() -> Int { value.add(1, ordering: .relaxed).newValue }
    func skip(_ count: Int) { value.add(count, ordering: .relaxed) }
}
