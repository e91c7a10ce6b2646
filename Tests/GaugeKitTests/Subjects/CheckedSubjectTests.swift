import Testing

@testable import GaugeMeasurement
@testable import GaugeKit
@testable import GaugeTraces

@Suite("Checked subject") struct CheckedSubjectTests {
    /// Stores ten keys in two versions, and looks them up after each store.
    private func exercise<Subject: CacheSubject>(
        _ type: Subject.Type, bodyCount: Int = 100, directory: String = ""
    ) throws -> Answers {
        let answers = Answers()
        let configuration = SubjectConfiguration(memoryCapacity: 1 << 20, diskCapacity: 0, directory: directory)
        let checked = CheckedSubject(try Subject(configuration), answers: answers, longest: bodyCount)
        var recorder = LatencyRecorder()
        for version: UInt64 in 1...2 {
            for id: UInt64 in 0..<10 {
                let key = try checked.key(id)
                checked.store(key, id: id, version: version, count: bodyCount, &recorder)
                for _ in 0..<3 { _ = checked.lookUp(key, id: id, version: version, count: bodyCount, &recorder) }
            }
        }
        return answers
    }

    @Test("no fault is found in a correct subject", arguments: [0, 10, 32, 100])
    func anHonestSubjectIsNotAccused(bodyCount: Int) throws {
        #expect(try exercise(HonestSubject.self, bodyCount: bodyCount).count == 0)
    }

    @Test("every kind of fault is found and shown with the history of its key", arguments: Lie.allCases)
    func everyKindOfLieIsFoundAndShownWithTheHistoryOfItsKey(lie: Lie) throws {
        let answers = try exercise(LyingSubject.self, directory: lie.rawValue)
        #expect(answers.count > 0)
        let first = try #require(answers.first.first)
        #expect(first.history.contains { $0.contains("version") || $0.contains("error") }, "\(first)")
        #expect(first.key.contains("https://"))
    }

    /// A subject whose answers are right, for bodies of up to 100 bytes.
    private static func honest(_ answers: Answers) -> CheckedSubject<HonestSubject> {
        let configuration = SubjectConfiguration(memoryCapacity: 1 << 20, diskCapacity: 0, directory: "")
        return CheckedSubject(HonestSubject(configuration), answers: answers, longest: 100)
    }

    @Test("a report names the URL of the trace without its control characters, and at most 200 of all")
    func controlCharacters() throws {
        let answers = Answers()
        let checked = Self.honest(answers)
        var recorder = LatencyRecorder()
        checked.namedURL = "https://a.example/\u{1B}]0;x\u{7}\u{9B}2J\n/\(String(repeating: "é", count: 300))"
        let key = try checked.key(1)
        checked.store(key, id: 1, version: 1, count: 100, &recorder)
        #expect(checked.lookUp(key, id: 1, version: 2, count: 50, &recorder) == .wrong)
        let named = try #require(answers.first.first).key
        #expect(named.hasPrefix("1 (\"https://a.example/?]0;x??2J?/é") && named.hasSuffix("é…\")"))
        #expect(named.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
        #expect(named.count == "1 (\"…\")".count + 200)
    }

    @Test("the time of a store is that of the cache, without the making of the body") func storeTime() throws {
        let length = 16 << 20
        let configuration = SubjectConfiguration(memoryCapacity: 0, diskCapacity: 0, directory: "")
        let checked = CheckedSubject(Watched(configuration), answers: Answers(), longest: length)
        // Making the body takes thousands of times as long; once in ten times nothing else comes between.
        let isApart = try (0..<10).contains { _ in
            var recorder = LatencyRecorder()
            let begun = LatencyRecorder.now()
            checked.store(try checked.key(1), id: 1, version: 1, count: length, &recorder)
            let making = checked.subject.begun - begun
            let taken = recorder.histogram(of: .store)?.sum
            return taken.map { $0 < making / 4 } ?? false
        }
        #expect(isApart)
    }

    @Test("an outdated body is not a fault if the caller allows it")
    func anOutdatedBodyIsNoFaultWhereTheCallerSaysSo() throws {
        let answers = Answers()
        let checked = Self.honest(answers)
        var recorder = LatencyRecorder()
        let key = try checked.key(1)
        checked.store(key, id: 1, version: 1, count: 100, &recorder)
        #expect(checked.lookUp(key, id: 1, version: 2, count: 50, mayBeOutdated: true, &recorder) == .outdated)
        #expect(answers.count == 0)
        #expect(checked.lookUp(key, id: 1, version: 2, count: 50, &recorder) == .wrong)
        // The body of another key is still a fault.
        #expect(checked.lookUp(key, id: 2, version: 1, count: 100, mayBeOutdated: true, &recorder) == .wrong)
        #expect(answers.count == 2)
    }

    /// The second implementation: it lists the right answers, and calls all others wrong.
    private func expected(_ outcome: Outcome, bodies: Int, fault: PayloadFault?, mayBeOutdated: Bool) -> CheckedAnswer {
        let isHit = [.memoryHit, .diskHit, .promotion, .hit].contains(outcome)
        return switch (isHit, bodies, fault) {
        case (true, 1, nil): .hit(outcome)
        case (true, 1, .otherVersion) where mayBeOutdated: .outdated
        case (false, 0, _) where outcome == .miss: .miss
        default: .wrong
        }
    }

    @Test("an answer is right with one intact body of a hit, or none of a miss", arguments: [true, false])
    func judgement(mayBeOutdated: Bool) throws {
        let answers = Answers()
        let checked = Self.honest(answers)
        let faults: [PayloadFault] = [
            .otherVersion(2, expected: 1), .otherKey(3, version: 1), .wrongLength(9, expected: 100), .damaged,
        ]
        var wrong = 0
        for outcome in Outcome.allCases {
            for (bodies, fault) in [(0, nil), (1, nil), (2, nil)] + faults.flatMap({ [(1, $0), (2, $0)] }) {
                let answer = checked.judge(
                    outcome, bodies: bodies, fault: fault, id: 1, version: 1, count: 100, mayBeOutdated: mayBeOutdated)
                let right = expected(outcome, bodies: bodies, fault: fault, mayBeOutdated: mayBeOutdated)
                #expect(answer == right, "\(outcome), \(bodies) bodies, \(String(describing: fault))")
                wrong += right == .wrong ? 1 : 0
                #expect(answers.count == wrong)
            }
            let isStored = checked.note(stored: outcome, id: 1, version: 1)
            #expect(isStored == (outcome == .store || outcome == .storeEvict), "\(outcome)")
            wrong += isStored ? 0 : 1
            #expect(answers.count == wrong)
        }
    }

    @Test("a removed key is a miss, and the removal is timed") func aRemovedKeyIsAMissAndTheRemovalIsTimed() throws {
        let answers = Answers()
        let checked = Self.honest(answers)
        var recorder = LatencyRecorder()
        let key = try checked.key(1)
        checked.store(key, id: 1, version: 1, count: 100, &recorder)
        checked.remove(key, id: 1, &recorder)
        #expect(checked.lookUp(key, id: 1, version: 1, count: 100, &recorder) == .miss)
        #expect(recorder.histogram(of: .remove)?.count == 1)
        #expect(recorder.histogram(of: .store)?.count == 1)
        #expect(recorder.histogram(of: .miss)?.count == 1)
    }
}

/// Keeps nothing but the moment at which its last store began.
private final class Watched: CacheSubject {
    static let name = "watched"
    static let capabilities: SubjectCapabilities = .memory
    private(set) var begun: UInt64 = 0

    init(_ configuration: SubjectConfiguration) {}
    func key(for url: String) -> String { url }
    func lookUp(_ key: String, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome { .miss }
    func store(_ body: UnsafeRawBufferPointer, for key: String) -> Outcome {
        begun = LatencyRecorder.now()
        return .store
    }
    func remove(_ key: String) {}
}
