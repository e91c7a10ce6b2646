import Foundation
import TestSupport
import Testing

@testable import GaugeMeasurement
@testable import GaugeKit
@testable import GaugeTraces
@testable import cachegauge

@Suite("Benchmark list") struct BenchmarkListTests {
    static let benchmarks = CacheGauge.benchmarks.flatMap(\.self)

    @Test("every name is stage, case and subject in lower case")
    func everyNameIsStageCaseAndSubjectInLowerCase() throws {
        for benchmark in Self.benchmarks {
            let name = benchmark.name.description
            #expect(name.wholeMatch(of: /[a-z0-9-]+(\/[a-z0-9.-]+)+\/[a-z0-9-]+/) != nil, "\(name)")
        }
    }

    @Test("no two benchmarks have one name") func noTwoBenchmarksHaveOneName() {
        let names = Self.benchmarks.map(\.name.description)
        #expect(Set(names).count == names.count)
    }

    @Test("the subjects of this package are under test and everything else is a peer")
    func theSubjectsOfThisPackageAreUnderTestAndEverythingElseIsAPeer() {
        let underTest = CacheGauge.subjects.map { $0.name }
        for benchmark in Self.benchmarks where benchmark.name.stage != "harness" {
            #expect(benchmark.isPeer != underTest.contains(benchmark.name.subject), "\(benchmark.name)")
        }
    }

    @Test("the nearest peers on disk, a file for each entry and LMDB where it is, are in the default suite")
    func nearestOnDisk() {
        let names = ["files"] + ((try? LMDBLibrary.shared.get()) == nil ? [] : ["lmdb"])
        for name in names {
            let rows = Self.benchmarks.filter { $0.name.subject == name && $0.suites.contains("default") }
            let cases = rows.map { "\($0.name.stage)/\($0.name.case)" }
            #expect(cases.sorted() == ["disk/hit/4k", "disk/store/4k", "two-tier/zipf"])
        }
    }

    @Test("a cache that no list of rows names gets the rows of every cache, beside those of this package")
    func newcomers() {
        #expect(CacheGauge.others(CacheGauge.subjects, peers: CacheGauge.peers).isEmpty)
        for isPeer in [false, true] {
            let new: [any CacheSubject.Type] = [Newcomer.self]
            let rows = CacheGauge.others(
                CacheGauge.subjects + (isPeer ? [] : new), peers: CacheGauge.peers + (isPeer ? new : []))
            #expect(rows.contains { $0.name.description == "memory/hit/1k/newcomer" })
            #expect(rows.allSatisfy { $0.isPeer == isPeer && $0.reference == TieredSubject.name })
            #expect(rows.allSatisfy { $0.name.subject == "newcomer" })
        }
    }

    @Test("every row is compared with an existing row that does the same work")
    func everyRowIsComparedWithAnExistingRowThatDoesTheSameWork() {
        let names = Set(Self.benchmarks.map(\.name))
        for benchmark in Self.benchmarks where benchmark.isPeer {
            let name = BenchmarkName(benchmark.name.stage, benchmark.name.case, benchmark.reference)
            #expect(names.contains(name), "\(benchmark.name) is compared with \(name)")
        }
    }

    @Test("every stage, case and subject has a line of its own that fits beside its name, for rows by outcome too")
    func words() {
        for benchmark in Self.benchmarks {
            let (name, words) = (benchmark.name, Words.all)
            let stage = words.stages[name.stage] ?? ""
            #expect(!stage.isEmpty && name.stage.count + 2 + stage.count <= 80, "\(name.stage): \(stage)")
            let line = words.line(onCase: name.case, of: name.stage) ?? ""
            #expect(!line.isEmpty && line.count <= 120, "\(name): \(line)")
            #expect(words.subjects[name.subject]?.isEmpty == false, "\(name.subject)")
        }
        for outcome in Outcome.allCases {
            let line = Words.all.line(onCase: "zipf-\(outcome.rawValue)", of: "two-tier")
            #expect(line?.hasPrefix("\(outcome.line), of: web-like") == true, "\(outcome): \(line ?? "none")")
        }
        #expect(Words.all.line(onCase: "hit/100k", of: "memory")?.hasSuffix(" (100,000 entries)") == true)
        #expect(Words.all.line(onCase: "hit/4k", of: "disk")?.hasSuffix(" (bodies of 4 KiB)") == true)
        #expect(Words.all.line(onCase: "40", of: "key-hash") == "one hash of a key (40 bytes)")
        #expect(Words.all.line(onCase: "nothing/1k", of: "memory") == nil)
    }

    @Test("no word is explained that no benchmark has") func noOtherWords() {
        let names = Self.benchmarks.map(\.name)
        // `lmdb` and `sqlite` are measured where their libraries are.
        let subjects = Set(names.map(\.subject)).union(["sqlite", "lmdb"])
        #expect(Set(Words.all.subjects.keys).subtracting(subjects) == [])
        // `cache` is the stage of other packages' gauges.
        #expect(Set(Words.all.stages.keys).subtracting(names.map(\.stage)) == ["cache"])
    }

    @Test("the page of words is what list prints") func page() throws {
        let run = try ChildRun("cachegauge", ["list", "--format", "markdown"])
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Benchmarks/Guides/words.md")
        #expect(
            try String(contentsOf: path, encoding: .utf8) == run.output,
            "write it again: swift run -c release cachegauge list --format markdown >Benchmarks/Guides/words.md")
    }

    @Test("threads that go through the objects in order share none, and others share all", arguments: [1, 2, 4])
    func ownObjects(threads: Int) {
        for pattern in [KeyPattern.scan, .loop, .uniform] {
            let walks = MemoryMixBenchmarks.walks(pattern, objects: 50, threads: threads, seed: 1)
            let visited = walks.map { walk in Set((0..<walk.count).map { walk[$0] }) }
            #expect(visited.allSatisfy { $0.count == 50 })
            let all = visited.reduce(Set()) { $0.union($1) }
            #expect(all.count == (pattern == .uniform ? 50 : 50 * threads), "\(pattern)")
        }
    }

    @Test("a scan misses on two threads as on one, so that both rows tell the same work", arguments: [1, 2])
    func scan(threads: Int) throws {
        let name = "memory/scan/1k/\(ThreadCounts.label(threads))/tiered"
        guard let benchmark = Self.benchmarks.first(where: { $0.name.description == name }) else { return }
        let context = RunContext(seed: 1, memoryCapacity: 4 << 20, diskCapacity: 0, directory: "/nowhere")
        let prepared = try benchmark.prepare(context)
        guard case .threaded(_, let body) = prepared.body else {
            Issue.record("\(name) is not on threads")
            return
        }
        // In turns, one a little behind the other: the order in which a follower would find what it needs.
        for _ in 0..<40 { for thread in 0..<threads { body(thread, 100) } }
        let hits = try prepared.figures().first { $0.name == "hit ratio" }?.value
        #expect(try #require(hits) < 0.01, "\(hits ?? 1)")
    }
}

private final class Newcomer: CacheSubject {
    static let name = "newcomer"
    static let capabilities: SubjectCapabilities = [.memory]

    init(_ configuration: SubjectConfiguration) {}
    func key(for url: String) -> String { url }
    func lookUp(_ key: String, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome { .miss }
    func store(_ body: UnsafeRawBufferPointer, for key: String) -> Outcome { .store }
    func remove(_ key: String) {}
}
