import Testing

@testable import GaugeKit
@testable import GaugeMeasurement

@Suite("Details of subjects") struct SubjectDetailsTests {
    /// The names differ after more than 64 characters.
    private static let stem = String(repeating: "subject-", count: 9)

    private class Subject: CacheSubject {
        class var name: String { "" }
        class var details: String { "" }
        static var capabilities: SubjectCapabilities { .memory }
        required init(_ configuration: SubjectConfiguration) {}
        func key(for url: String) -> String { url }
        func lookUp(_ key: String, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome { .miss }
        func store(_ body: UnsafeRawBufferPointer, for key: String) -> Outcome { .store }
        func remove(_ key: String) {}
    }

    private final class First: Subject {
        override class var name: String { stem + "a" }
        override class var details: String { "one file" }
    }

    private final class Second: Subject {
        override class var name: String { stem + "b" }
        override class var details: String { "many files" }
    }

    private final class Silent: Subject { override class var name: String { "silent" } }

    @Test("only subjects that are measured and say something have a line, in their order, and are told by whole names")
    func lines() {
        func row(_ subject: String) -> Benchmark {
            Benchmark(BenchmarkName("a", "b", subject)) { _ in PreparedBenchmark(.batched { _ in }) }
        }
        let types: [any CacheSubject.Type] = [First.self, Silent.self, Second.self]
        let (first, second) = ("\(Self.stem)a: one file", "\(Self.stem)b: many files")
        #expect(RunCommand.details(of: types, in: [row(Self.stem + "b")]) == [second])
        #expect(
            RunCommand.details(of: types, in: [row(Self.stem + "b"), row("silent"), row(Self.stem + "a")]) == [
                first, second,
            ])
        #expect(RunCommand.details(of: types, in: [row("silent"), row("other")]).isEmpty)
        #expect(RunCommand.details(of: types, in: []).isEmpty)
    }
}
