import Foundation
import Platform
import PlantedGauge
import TestSupport
import Testing

@testable import GaugeKit
@testable import GaugeMeasurement
@testable import GaugeSupport
@testable import GaugeTraces

/// What a promise says when one answer of a cache that is right otherwise is another one: nothing in the place of a
/// body, a body in the place of nothing, or a later version. A condition that is turned round, or left out, says
/// something else.
@Suite("Recorded reasons of promises") struct WrongAnswersTests {
    /// Promises of few steps, and of those about keys some of each form.
    private static let names = [
        "key-query", "key-port", "key-host-case", "key-fragment", "key-other-scheme", "colliding-memory",
        "colliding-disk", "method-stored", "method-looked-up", "method-head", "vary-absent", "vary-star", "vary",
        "too-large", "superseded", "capacity-zero", "overwritten", "removed", "empty-body", "too-large-resized",
        "expired", "expired-reopened", "memory-only", "memory-only-superseding", "not-allowed",
        "removed-since-memory", "removed-since-disk", "removed-since-reopened", "persistent",
        "persistent-overwritten", "persistent-removed", "persistent-long", "persistent-any", "user-info",
        "user-info-persistent", "user-info-object", "key-hook", "shared",
    ]

    /// The answers that a promise leaves open: of keys with the same hash one may have replaced the other, and an entry
    /// with metadata that is no property list need not be found, nor one that fits only the disk.
    private static let open: [String: Set<Int>] = [
        "colliding-memory": [3, 5, 6], "colliding-disk": [3, 5, 6], "user-info-object": [1],
        "superseded": [5, 6],
    ]

    /// Those that it leaves open if nothing is found: of two representations a cache may keep the newer alone.
    private static let mayBeGone: [String: Set<Int>] = ["vary": [3, 6]]

    /// The first answers of a promise.
    private static let most = 6

    private enum Change: String { case nothing, something, later }

    private static func changed(_ change: Change, _ request: SubjectRequest) -> [UInt8]? {
        switch change {
        case .nothing: nil
        case .something: Script.body(request, version: 1)
        case .later: Script.body(request, version: 9)
        }
    }

    /// The verdict where the answer with that number is another, and whether each answer was a hit.
    private func verdict(
        _ promise: Promise, _ change: Change = .nothing, at number: Int = 0
    ) throws -> (verdict: PromiseVerdict, hits: [Bool]) {
        let hits = Locked<[Bool]>([])
        @Sendable func isIt(_ isHit: Bool) -> Bool {
            hits.withLock {
                $0.append(isHit)
                return $0.count == number
            }
        }
        let mistake = Mistake(
            answered: { isIt($1 != nil) ? Self.changed(change, $0) : $1 },
            informed: { isIt($0 != nil) ? change == .nothing ? nil : ["other": .whole(9)] : $0 })
        let scratch = try ScratchDirectory()
        let verdict = MistakenCache.$mistake.withValue(mistake) {
            withSteppedTime { clock in
                promise.verdict(
                    Trial(MistakenCache.self, parent: scratch.path, clock: clock, heapInUse: { nil }) { _ in })
            }
        }
        return (verdict, hits.withLock { $0 })
    }

    @Test("each of the first answers of a promise has the reason that was recorded") func answers() throws {
        var lines: [String] = []
        for name in Self.names {
            let promise = try #require(Promise.fixed.first { $0.name == name })
            let right = try verdict(promise)
            #expect(right.verdict == .kept)
            for (number, isHit) in zip(1...Self.most, right.hits) {
                for change in isHit ? [Change.nothing, .later] : [.something] {
                    let verdict = try verdict(promise, change, at: number).verdict
                    let isOpen =
                        Self.open[name]?.contains(number) == true
                        || change == .nothing && Self.mayBeGone[name]?.contains(number) == true
                    #expect((verdict == .kept) == isOpen, "\(name) \(number) \(change)")
                    let text = if case .broken(let reason) = verdict { reason } else { "\(verdict)" }
                    lines.append("\(promise.name) \(number) \(change): \(text)")
                }
            }
        }
        let text = lines.joined(separator: "\n") + "\n"
        #expect(RecordedText.differences(of: text, from: "Steps/wrong-answers.txt") == [])
    }
}
