import TestSupport
import Testing

@testable import GaugeMeasurement
@testable import GaugeKit

@Suite("Many keys of one cache") struct ManyKeysTests {
    /// Keeps all, and counts its calls.
    private final class Counting: CacheSubject {
        static let name = "counting"
        static let capabilities: SubjectCapabilities = .memory
        final class Calls { var (stores, lookups) = (0, [String]()) }
        nonisolated(unsafe) static var calls = Calls()

        private let calls = Counting.calls
        private var bodies: [String: [UInt8]] = [:]

        init(_ configuration: SubjectConfiguration) {}
        func key(for url: String) -> String { url }
        func lookUp(_ key: String, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome {
            calls.lookups.append(key)
            guard let body = bodies[key] else { return .miss }
            body.withUnsafeBytes(read)
            return .memoryHit
        }
        func store(_ body: UnsafeRawBufferPointer, for key: String) -> Outcome {
            calls.stores += 1
            bodies[key] = Array(body)
            return .store
        }
        func remove(_ key: String) { bodies[key] = nil }
    }

    @Test("a slow cache gets fewer keys, of which the newest are looked up, and never fewer than 128")
    func slow() throws {
        let keys = (0..<6_000).map(Trial.many)
        // Time is over never, from the beginning, or when all are stored.
        for (isStoring, isLookingUp, stores, lookups) in [
            (true, true, 6_000...6_000, 6_000...6_000), (false, false, 128...128, 128...128),
            (true, false, 6_000...6_000, 129...192), (false, true, 128...128, 128...128),
        ] {
            let scratch = try ScratchDirectory()
            Counting.calls = Counting.Calls()
            try ManyKeys.tryMany(keys, Trial(Counting.self, parent: scratch.path, heapInUse: { nil }) { _ in }) {
                $0 < 1 ? !isStoring : !isLookingUp
            }
            let calls = Counting.calls
            #expect(stores.contains(calls.stores) && lookups.contains(calls.lookups.count), "\(calls.lookups.count)")
            #expect(calls.lookups == keys.prefix(calls.stores).suffix(calls.lookups.count).reversed().map(\.url))
        }
    }

    /// Answers a request with the body of another.
    private func script(_ wrong: [Int: Int]) -> Script {
        let script = Script()
        script.capabilities = [.disk]
        script.answer = { [unowned script] request, _, stored in
            let number = wrong.first { Trial.many($0.key) == request }?.value
            return number.flatMap { script.entries[Trial.many($0)] } ?? stored
        }
        return script
    }

    private func trial(_ notes: @escaping (String) -> Void = { _ in }) throws -> (GaugeKit.Trial, ScratchDirectory) {
        let scratch = try ScratchDirectory()
        var model = ModelSettings()
        model.seed = 77
        return (
            Trial(ScriptedSubject.self, parent: scratch.path, heapInUse: { nil }, model: model) {
                notes($0 ?? "begin")
            }, scratch
        )
    }

    private static let pairs = [(1, 2), (3, 4), (5, 6)].map { (Trial.many($0), Trial.many($1)) }

    @Test("of pairs that share a hash, the first that is confused alone is blamed, with its few steps")
    func alone() throws {
        let script = script([4: 3, 6: 5])
        try Script.$current.withValue(script) {
            var notes: [String] = []
            let (trial, scratch) = try trial { notes.append($0) }
            let broken = #expect(throws: PromiseBroken.self) {
                try ManyKeys.tryTogether(Self.pairs, sharing: "djb2", trial)
            }
            let body = "answered with the body of https://many.example/3"
            #expect(broken == PromiseBroken("\(body); both have the same djb2", repeating: "--seed 77"))
            #expect(
                notes.suffix(4) == [
                    "begin", "open with 0 B of memory and 16 MiB of disk",
                    "store https://many.example/3: version 1, 100 bytes", "look up https://many.example/4",
                ])
            // All at once, and then those of each pair until one is confused.
            #expect(notes.count { $0 == "begin" } == 2)
            #expect(!scratch.contents.isEmpty)
        }
    }

    @Test("a pair that is confused only among others is told with all steps, and pairs that are not are not told")
    func together() throws {
        // The last pair is confused with the first, which is not there when it is tried alone.
        let script = Script()
        script.capabilities = [.disk]
        script.answer = { [unowned script] request, _, stored in
            let isWrong = request == Trial.many(6) && script.entries[Trial.many(1)] != nil
            return isWrong ? script.entries[Trial.many(1)] : stored
        }
        script.opened = { [unowned script] _ in script.clear() }
        try Script.$current.withValue(script) {
            var notes: [String] = []
            let (trial, scratch) = try trial { notes.append($0) }
            let broken = #expect(throws: PromiseBroken.self) {
                try ManyKeys.tryTogether(Self.pairs, sharing: "djb2", trial)
            }
            #expect(
                broken == PromiseBroken("answered with the body of https://many.example/1", repeating: "--seed 77"))
            let last = notes.split(separator: "begin").last ?? []
            #expect(last.count == 1 + 5 + 5 + 2 && last.last == "look up https://many.example/6")
            #expect(notes.count { $0 == "begin" } == 4 && !scratch.contents.isEmpty)
        }
        let right = Script()
        right.capabilities = [.memory, .disk]
        try Script.$current.withValue(right) {
            var notes: [String] = []
            let (trial, scratch) = try trial { notes.append($0) }
            try ManyKeys.tryTogether(Self.pairs, sharing: "djb2", trial)
            #expect(!scratch.contents.isEmpty)
            #expect(right.capacities == [[16_777_216, 0], [0, 16_777_216]] && notes == [])
            #expect(right.allStores == 12 && right.allLookups == 18)
        }
    }

    @Test("a wrong body among many keys is told with its owner, and a cache that finds nothing is not kept")
    func many() throws {
        let keys = (0..<70).map(Trial.many)
        for (wrong, reason) in [
            ([9: 3], "answered with the body of https://many.example/3"), ([:], "found not a single one"),
        ] {
            let script = script(wrong)
            if wrong.isEmpty { script.answer = { _, _, _ in nil } }
            try Script.$current.withValue(script) {
                var notes: [String] = []
                let (trial, scratch) = try trial { notes.append($0) }
                let broken = #expect(throws: PromiseBroken.self) {
                    try ManyKeys.tryMany(keys, trial) { _ in false }
                }
                #expect(broken == PromiseBroken(reason, repeating: wrong.isEmpty ? nil : "--seed 77"))
                #expect(scratch.contents == ["1"])
                #expect(script.capacities == [[0, 536_870_912]] && script.allStores == 70)
                #expect(
                    notes == [
                        "begin", "open with 0 B of memory and 512 MiB of disk",
                        "store https://many.example/0 and the other keys of this seed up to https://many.example/69",
                        "look all of them up",
                    ] + (wrong.isEmpty ? [] : ["look up https://many.example/9"]))
            }
        }
    }
}
