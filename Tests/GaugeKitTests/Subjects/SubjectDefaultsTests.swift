import Foundation
import TestSupport
import Testing

@testable import GaugeMeasurement
@testable import GaugeKit
@testable import GaugeSupport
@testable import GaugeTraces

@Suite("Defaults of a subject") struct SubjectDefaultsTests {
    /// Only what a subject must have.
    private final class Bare: CacheSubject {
        static let name = "bare"
        static let capabilities: SubjectCapabilities = .memory
        private(set) var stored: [String] = []
        init() {}
        init(_ configuration: SubjectConfiguration) {}
        func key(for url: String) throws -> String {
            guard url != "refused" else { throw GaugeError("refused") }
            return url
        }
        func lookUp(_ key: String, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome { .miss }
        func store(_ body: UnsafeRawBufferPointer, for key: String) -> Outcome {
            stored.append(key)
            return .store
        }
        func remove(_ key: String) { stored.append("removed") }
    }

    @Test("a subject without a capability says which one it lacks") func refusals() throws {
        let bare = Bare()
        let body = UnsafeRawBufferPointer(start: nil, count: 0)
        func expect(_ error: String, _ call: () throws -> Void) {
            #expect(throws: GaugeError("bare \(error)")) { try call() }
        }
        expect("keeps nothing beside an entry") { try bare.store(body, for: "a", userInfo: [:]) }
        expect("keeps nothing beside an entry") { _ = try bare.userInfo(for: "a") }
        expect("knows no storage policies") { try bare.store(body, for: "a", policy: .memoryOnly) }
        expect("does not remove since a date") { try bare.removeAll(since: 0) }
        expect("cannot be emptied") { try bare.removeAll() }
        expect("cannot change its capacities") { try bare.resize(memory: 1, disk: 1) }
        for request in [
            SubjectRequest("u", method: "POST"), SubjectRequest("u", fields: [HeaderField("a", "b")]),
            SubjectRequest("u", vary: "a"),
        ] {
            expect("knows nothing of requests but their URL") { _ = try bare.key(for: request) }
        }
        #expect(try bare.key(for: SubjectRequest("u")) == "u" && bare.stored == [])
        #expect(Bare.order == .lru && Bare.limits == SubjectLimits() && Bare.title == "bare")
        #expect(Bare.details == "" && bare.counters == [:])
        #expect(Bare.verified == Bare.self && bare.usage.memoryBytes == nil && bare.usage.diskEntries == nil)
    }

    @Test("an object whose URL is refused is a miss, and is neither stored nor removed") func refused() {
        let bare = Bare()
        let answers = Answers()
        let replayed = ReplayedSubject(CheckedSubject(bare, answers: answers, longest: 64))
        var recorder = LatencyRecorder()
        #expect(!replayed.choose(0, 0, "refused"))
        let answer = replayed.lookUp(0, 1, 10, false, &recorder)
        #expect("\(answer)" == "miss")
        replayed.store(0, 1, 10, &recorder)
        replayed.remove(0, &recorder)
        #expect(bare.stored == [] && recorder.histograms.isEmpty && answers.count == 0)
        #expect(replayed.choose(0, 0, "a"))
        replayed.store(0, 1, 10, &recorder)
        replayed.remove(0, &recorder)
        #expect(bare.stored == ["a", "removed"] && !recorder.histograms.isEmpty)
    }

    @Test("what Foundation holds beyond property lists is no value, however deep it lies") func values() {
        for plain in [1.5, Date(timeIntervalSince1970: 0), ["a", 1.5], ["k": ["l": 1.5]], [1: "a"]] as [Any] {
            #expect(PropertyValue(plain) == nil, "\(plain)")
        }
        #expect(PropertyValue(["a", 7] as [Any]) == .list([.text("a"), .whole(7)]))
        #expect(PropertyValue.table(["k": Data([1])]) == ["k": .data([1])])
        #expect(PropertyValue.table([2: "a"]) == nil && PropertyValue.table([:]) == [:])
    }

    @Test("files as they were left are not looked at, and folders are passed over") func pages() throws {
        let scratch = try ScratchDirectory()
        try FileManager.default.createDirectory(atPath: "\(scratch.path)/folder", withIntermediateDirectories: false)
        symlink("/nowhere/at/all", "\(scratch.path)/folder/link")
        #expect(throws: Never.self) { try PageState.asLeft.bring(scratch.path) }
        let path = "\(scratch.path)/folder/link"
        #expect(throws: GaugeError("\(path) cannot be opened: No such file or directory")) {
            try PageState.writtenBack.bring(scratch.path)
        }
    }

    @Test("what happened to a key is told in order, with removals and what was left out") func history() {
        var history = OperationHistory(capacity: 4)
        history.note(1, .removed)
        for version in 2...4 as ClosedRange<UInt64> { history.note(7, .stored(version: version, .storeEvict)) }
        history.note(7, .removed)
        #expect(
            history.lines(of: 7, limit: 2) == [
                "(of the last 4 operations on all keys)", "(2 earlier operations on it left out)",
                "operation 4: store-evict of version 4", "operation 5: removed",
            ])
    }

    @Test("a mix at a rate has the figures of its loop before those of its counted requests, and does each request")
    func openMix() throws {
        let row = SubjectBenchmarks.mix(
            HonestSubject.self, SubjectCase("memory", "mix", tier: .memory, bodyCount: 0), counted: 20,
            nanoseconds: .max / 4, rate: 1e9)
        let prepared = try row.prepare(
            RunContext(seed: 3, memoryCapacity: 1 << 20, diskCapacity: 0, directory: "/nonexistent"))
        guard case .timed(let body) = prepared.body else {
            Issue.record("\(prepared.body)")
            return
        }
        var recorder = LatencyRecorder()
        body(30, &recorder)
        #expect(recorder.histograms.values.reduce(0) { $0 + $1.count } >= 30)
        let names = try prepared.figures().map(\.name)
        #expect(
            names == [
                "response p50", "service p50", "response maximum", "service maximum", "requests", "hit ratio",
                "byte hit ratio", "memory hits", "disk hits",
            ])
    }
}
