import TestSupport
import Testing

@testable import GaugeMeasurement
@testable import GaugeSubjects

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

    @Test("a slow cache gets fewer keys, of which the newest are looked up, and never fewer than 4,096")
    func slow() throws {
        let keys = (0..<6_000).map(Trial.many)
        // Time is over never, from the beginning, or when all are stored.
        for (isStoring, isLookingUp, stores, lookups) in [
            (true, true, 6_000...6_000, 6_000...6_000), (false, false, 4_096...4_096, 4_096...4_096),
            (true, false, 6_000...6_000, 4_097...4_160), (false, true, 4_096...4_096, 4_096...4_096),
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
}
