import Foundation
import Platform
import TestSupport
import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

@Suite("Counting two builds") struct CountRunTests {
    private static let settings = RunSettings(seed: 9, memory: ByteSize(bytes: 1 << 20), disk: ByteSize(bytes: 1 << 21))
    private static let plain = "worker --seed=9 --memory=1048576 --disk=2097152 unhurried=1"
    /// Not every machine permits what setarch does.
    private static let command =
        plain + (FixedSurroundings.setarch(in: CountedBuilds.folder) == nil ? "" : " setarch -R")
    private static let fromStart =
        " --command-line-only=yes --tool=callgrind --fair-sched=yes --combine-dumps=yes"
        + " --toggle-collect=cs_measured_region --dump-after=cs_measured_region --error-limit=no --collect-systime=yes"
        + " --vgdb=no"

    private func run(
        _ builds: CountedBuilds, _ executables: [String] = CountedBuilds.executables, path: String? = nil,
        note: @escaping @Sendable (String) -> Void = { _ in }
    ) throws -> CountRun {
        let console = Console(isNoteTerminal: true, write: { _ in }, note: note)
        return CountRun(
            executables: executables, settings: Self.settings,
            directory: try TemporaryDirectory(in: builds.scratch.path), interruption: nil,
            progress: ProgressLine(console: console), path: path ?? CountedBuilds.folder)
    }

    /// Runs of 1,000, 1,000 and 2,000 operations of this cost.
    private static func profiles(_ instructions: Int, calls: Int = 0) -> [(instructions: Int, calls: Int)] {
        [1, 1, 2].map { (77 + 1_000 * instructions * $0, 5 + 1_000 * calls * $0) }
    }

    private func requests(_ counts: [Int], each: Int? = nil, end: Bool) -> [String] {
        [#"{"prepare":{}}"#] + counts.map { #"{"count":{"operations":\#($0)}}"# }
            + (each.map { [#"{"countEach":{"operations":\#($0)}}"#] } ?? []) + (end ? [#"{"finish":{}}"#] : [])
    }

    @Test("each benchmark is counted twice in each build, alone and under callgrind") func twice() throws {
        let builds = try CountedBuilds()
        try builds.add(
            "a/one/c", to: "base",
            .init(allocations: [6_000, 6_002], profiles: Self.profiles(310, calls: 2), sequence: (290, [:])))
        try builds.add(
            "a/one/c", to: "head",
            .init(
                allocations: [4_000], each: [1, 5, 3], profiles: Self.profiles(320, calls: 1),
                sequence: (300, [7: 900, 8: 901])))
        let notes = Locked<[String]>([])
        let run = try run(builds) { note in notes.withLock { $0.append(note) } }
        #expect(run.warning == nil)
        let tables = try run.counts(of: [["a/one/c"], ["a/one/c"]])
        #expect(tables.count == 2)
        let base = try #require(tables[0]["a/one/c"])
        let allocations = try #require(base.values["allocations"])
        #expect((allocations.lowest, allocations.highest) == (3, 3.001))
        #expect(base.values["instructions"] == RepeatedCount(310, 310))
        #expect(base.values["system calls"] == RepeatedCount(2, 2))
        #expect(base.values["worst instructions"] == RepeatedCount(290, 290))
        #expect(base.reasons == [:] && base.failure == nil && base.wrong == 0)
        let head = try #require(tables[1]["a/one/c"])
        #expect(head.values["instructions"] == RepeatedCount(320, 320))
        #expect(head.values["worst instructions"] == RepeatedCount(901, 901))
        #expect(head.values["worst allocations"] == RepeatedCount(5, 5))
        #expect(head.functions.map(\.name) == ["work"] && head.worstFunctions.map(\.name) == ["usual", "tidy"])

        let callgrind = Self.command + Self.fromStart + " --instr-atstart=no"
        let alone = requests([1_000, 2_000], each: 2_048, end: true)
        let counted = requests([1_000, 1_000, 2_000], each: 2_048, end: false)
        for build in ["base", "head"] {
            #expect(
                try builds.asked("a/one/c", of: build) == [
                    "plain.1": [Self.command] + alone, "plain.2": [Self.command] + alone,
                    "callgrind.1": [callgrind] + counted, "callgrind.2": [callgrind] + counted,
                ])
        }
        let shown = notes.withLock { $0 }
        #expect(shown.count == 8)
        for count in ["1", "4", "5", "8"] { #expect(shown.contains { $0.contains("counting, \(count)/8") }) }
        #expect(!shown.contains { $0.contains("counting, 9/") || $0.contains("counting, 0/") })
    }

    @Test("what cannot be counted has its reason, and the others their counts") func reasons() throws {
        let builds = try CountedBuilds()
        let names = ["a/fine/c", "a/threads/c", "a/cut/c", "a/refused/c", "a/crash/c", "a/stops/c", "a/wrong/c"]
        try builds.add("a/fine/c", to: "head", .init(profiles: Self.profiles(10)))
        try builds.add("a/threads/c", to: "head", .init(kind: .threaded, allocations: [8_000]))
        try builds.add("a/cut/c", to: "head", .init(profiles: Self.profiles(10), sequence: nil))
        try builds.add("a/refused/c", to: "head", .init(refusal: "no such library"))
        try builds.add("a/crash/c", to: "head", .init(exit: "counted"))
        try builds.add("a/stops/c", to: "head", .init(exit: "finished", profiles: Self.profiles(10)))
        try builds.add("a/wrong/c", to: "head", .init(wrong: 3, profiles: Self.profiles(20)))
        let table = try run(builds, [CountedBuilds.executables[1]]).counts(of: [names])[0]
        #expect(table.keys.sorted() == names.sorted())
        #expect(table["a/fine/c"]?.values["instructions"] == RepeatedCount(10, 10))
        #expect(table["a/fine/c"]?.reasons == [:])
        let threaded = "it runs on several threads"
        #expect(table["a/threads/c"]?.reasons == ["instructions": threaded, "system calls": threaded])
        // Allocations of several threads are not those of one operation.
        #expect(table["a/threads/c"]?.values == [:] && table["a/threads/c"]?.failure == nil)
        #expect(try builds.asked("a/threads/c", of: "head").keys.sorted() == ["plain.1", "plain.2"])
        let cut = try #require(table["a/cut/c"]?.reasons["instructions"])
        #expect(cut == "valgrind has written 3 dumps and not 4; see its output")
        #expect(table["a/cut/c"]?.values["instructions"] == nil)
        let asked = try builds.asked("a/cut/c", of: "head")
        #expect(asked["callgrind.1"]?.first == Self.command + Self.fromStart + " --instr-atstart=no")
        #expect(table["a/refused/c"] == BenchmarkCounts(failure: "no such library"))
        let end = "its worker exited (7): last words"
        #expect(table["a/crash/c"] == BenchmarkCounts(failure: end))
        #expect(table["a/stops/c"] == BenchmarkCounts(failure: end))
        #expect(table["a/wrong/c"]?.wrong == 3)
        #expect(table["a/wrong/c"]?.values["instructions"] == RepeatedCount(20, 20))
    }

    @Test("without valgrind no instructions are counted") func uncounted() throws {
        let builds = try CountedBuilds()
        let missing =
            "instructions are counted by valgrind, which is not installed; install it, as by apt install valgrind"
        let name = "a/b/c"
        try builds.add(name, to: "base", .init(each: [7], profiles: Self.profiles(10)))
        let run = try run(builds, [CountedBuilds.executables[0]], path: "/nowhere")
        #expect(run.warning == missing)
        let counts = try #require(try run.counts(of: [[name]])[0][name])
        #expect(counts.reasons == ["instructions": "no valgrind", "system calls": "no valgrind"])
        #expect(counts.values.keys.sorted() == Self.withTails)
        #expect(try builds.asked(name, of: "base").keys.sorted() == ["plain.1", "plain.2"])
    }

    @Test("slow operations are counted with fewer repetitions, and only those of seconds not at all")
    func slow() throws {
        let sizes = [1, 50_000, 50_001, 500_000, 5e6, 5e7, 5e9].map { InstructionCounter.operations(taking: $0) }
        #expect(sizes.map { $0?.whole } == [1_000, 1_000, 100, 100, 20, 4, 1])
        #expect(sizes.map { $0?.sequence } == [2_048, 2_048, 256, 256, 64, 16, 2])
        #expect(InstructionCounter.operations(taking: 5.1e9) == nil)
        #expect(
            WorkCounts.operations(taking: 5e6) == WorkCounts.operations && WorkCounts.operations(taking: 6e6) == 200)
        var report = WorkReply()
        report.counters.allocations = 600
        #expect(WorkCounts.values(report, [], isTimed: false, operations: 200) == ["allocations": 3])
    }

    private static let withTails = ["allocations", "worst 1 % allocations", "worst allocations"]

    @Test("growth is counted once in each build, on demand, over 512 operations") func instructions() throws {
        let builds = try CountedBuilds()
        let profiles = [1, 1, 2].map { (instructions: 100 + 512 * 30 * $0, calls: 0) }
        for (build, name) in [("base", "a/1k/c"), ("head", "a/1k/c"), ("head", "a/lost/c")] {
            let isLost = name.contains("lost")
            try builds.add(name, to: build, .init(profiles: isLost ? [] : profiles, sequence: nil))
        }
        let tables = try run(builds).instructions(of: [["a/1k/c"], ["a/1k/c", "a/lost/c"]])
        #expect(tables.map { $0.mapValues(\.perOperation) } == [["a/1k/c": 30], ["a/1k/c": 30]])
        #expect(tables[0]["a/1k/c"]?.operations == 512)
        let asked = try builds.asked("a/1k/c", of: "head")
        #expect(
            asked == [
                "callgrind.1": [Self.command + Self.fromStart + " --instr-atstart=no"]
                    + requests([512, 512, 1_024], end: false)
            ])
        #expect(try builds.asked("a/1k/c", of: "base").count == 1)
        // Nothing is started for nothing.
        #expect(try run(builds, path: "/nowhere").instructions(of: [["a/1k/c"], []]).allSatisfy(\.isEmpty))
        #expect(try run(builds).instructions(of: [[], []]).map(\.isEmpty) == [true, true])
        #expect(try builds.asked("a/1k/c", of: "base").count == 1)
    }

    @Test("a plain count starts its worker by setarch where there is one") func setarch() throws {
        let builds = try CountedBuilds()
        try builds.add("a/b/c", to: "base", .init(allocations: [2_000]))
        let directory = try TemporaryDirectory(in: builds.scratch.path)
        let counts = try WorkCounts(
            of: "a/b/c", executable: CountedBuilds.executables[0], libraries: "\(CountedBuilds.folder)/base",
            settings: Self.settings, directory: directory.path, interruption: nil,
            setarch: "\(CountedBuilds.folder)/setarch")
        #expect(counts.values == ["allocations": 1])
        #expect(!counts.isThreaded && counts.wrong == 0)
        #expect(try builds.asked("a/b/c", of: "base")["plain.1"]?.first == Self.plain + " setarch -R")
    }

    private func growth(
        _ builds: CountedBuilds, chosen: [String], base: [ListedBenchmark],
        sizes: [String] = ["10k", "1k", "100k"], path: String = CountedBuilds.folder,
        executables: [String] = CountedBuilds.executables
    ) throws -> [CountComparison] {
        let head = Self.listed(sizes) + [ListedBenchmark(name: "b/one/c", entries: 1_000)]
        return try run(builds, executables, path: path).growth(of: chosen, listed: (base, head))
    }

    private static func listed(_ sizes: [String], isOld: Bool = false) -> [ListedBenchmark] {
        sizes.map {
            ListedBenchmark(name: "a/\($0)/c", entries: isOld ? nil : Int($0.dropLast()).map { $0 * 1_000 })
        }
    }

    /// A series of three sizes, which costs about the same in the base and grows in the head.
    private static func growing() throws -> CountedBuilds {
        let builds = try CountedBuilds()
        for (build, costs) in [("base", [310, 312, 320]), ("head", [330, 480, 1_990])] {
            for (size, cost) in zip(["1k", "10k", "100k"], costs) {
                let profiles = [1, 1, 2].map { (instructions: 512 * cost * $0, calls: 0) }
                try builds.add("a/\(size)/c", to: build, .init(profiles: profiles))
            }
        }
        return builds
    }

    @Test("a series with a chosen benchmark is counted at all sizes in both builds, and compared")
    func series() throws {
        let builds = try Self.growing()
        let all = Self.listed(["1k", "10k", "100k"])
        let grown = try growth(builds, chosen: ["a/10k/c"], base: all)
        #expect(grown.map(\.benchmark) == ["a/*/c"])
        #expect(grown.first?.verdict(on: .growth) == .worse)
        #expect(
            grown.first?.note
                == "instructions at 1000, 10000, 100000 entries: 310, 312, 320 → 330, 480, 1990")
        // A size that the base lacks is not counted there.
        let lacking = try growth(builds, chosen: ["a/1k/c", "a/10k/c"], base: Self.listed(["1k", "10k"]))
        #expect(lacking.map { $0.verdict(on: .growth) } == [.notComparable("the base does not count all sizes")])
        #expect(try builds.asked("a/100k/c", of: "base").count == 1)
        #expect(try builds.asked("a/100k/c", of: "head").count == 2)
        #expect(try builds.asked("a/10k/c", of: "base").count == 2)
        // Neither an unchosen series, nor an old base, nor one build, nor a machine without valgrind.
        let old = Self.listed(["1k", "10k", "100k"], isOld: true)
        #expect(try growth(builds, chosen: ["b/one/c"], base: all).isEmpty)
        #expect(try growth(builds, chosen: ["a/1k/c"], base: old).isEmpty)
        #expect(try growth(builds, chosen: ["a/1k/c"], base: all, path: "/nowhere").isEmpty)
        let one = [CountedBuilds.executables[1]]
        #expect(try growth(builds, chosen: ["a/1k/c"], base: all, executables: one).isEmpty)
        #expect(try builds.asked("a/1k/c", of: "head").count == 2)
    }

    @Test("sizes that only one build has are left out of a growth, and a series that is gone is not comparable")
    func otherSizes() throws {
        let builds = try Self.growing()
        for build in ["base", "head"] {
            let profiles = [1, 1, 2].map { (instructions: 512 * 400 * $0, calls: 0) }
            try builds.add("a/50k/c", to: build, .init(profiles: profiles))
        }
        let (three, four) = (["1k", "10k", "100k"], ["1k", "10k", "50k", "100k"])
        for (base, head) in [(three, four), (four, three)] {
            let grown = try growth(builds, chosen: ["a/1k/c"], base: Self.listed(base), sizes: head)
            #expect(grown.map { $0.verdict(on: .growth) } == [.worse])
            #expect(grown.first?.note?.hasPrefix("instructions at 1000, 10000, 100000 entries: ") == true)
        }
        let gone = try growth(builds, chosen: ["a/1k/c"], base: Self.listed(three), sizes: [])
        #expect(gone.map { $0.verdict(on: .growth) } == [.notComparable("not all sizes were counted")])
    }

    private static func run(_ builds: CountedBuilds) throws -> CountRun {
        CountRun(
            executables: [CountedBuilds.executables[1]], settings: settings,
            directory: try TemporaryDirectory(in: builds.scratch.path), interruption: nil,
            progress: ProgressLine(console: Console(write: { _ in }, note: { _ in })), path: "/nowhere")
    }

    @Test("what is kept is counted four times, and what differs from it four times, but no worse where it varies")
    func beside() throws {
        let builds = try CountedBuilds()
        for (name, allocations) in [("moved", [4_000]), ("same", [2_000]), ("varies", [2_002, 2_000, 2_002, 2_000])] {
            try builds.add("a/\(name)/c", to: "head", .init(allocations: allocations))
        }
        let names = ["a/moved/c", "a/same/c", "a/varies/c"]
        let kept = Dictionary(uniqueKeysWithValues: names.map { ($0, BenchmarkCounts.exact([.allocations: 1])) })
        let table = try Self.run(builds).confirmedCounts(of: names, beside: kept)
        func verdict(_ name: String) -> CountVerdict? {
            CountComparison(name, base: kept[name], head: table[name]).verdict(on: .allocations)
        }
        #expect(names.map(verdict) == [.worse, .equivalent, .equivalent])
        #expect(table["a/varies/c"]?.values["allocations"] == RepeatedCount(1, 1.001))
        #expect(try names.map { try builds.asked($0, of: "head").count } == [4, 1, 4])
        let again = try Self.run(builds).countsToKeep(of: ["a/same/c"])
        #expect(again["a/same/c"]?.values["allocations"] == RepeatedCount(1, 1))
        #expect(try builds.asked("a/same/c", of: "head").count == 5)
    }

    @Test("a missing valgrind is told once, and counts that differ are taken again") func counts() throws {
        let builds = try CountedBuilds()
        for (build, allocations) in [("base", 2_000), ("head", 4_000)] {
            try builds.add("a/moved/c", to: build, .init(allocations: [allocations]))
            try builds.add("a/same/c", to: build, .init(allocations: [2_000]))
        }
        let notes = Locked<[String]>([])
        let names = ["a/moved/c", "a/same/c"]
        let console = Console(write: { _ in }, note: { note in notes.withLock { $0.append(note) } })
        let run = CountRun(
            executables: CountedBuilds.executables, settings: Self.settings,
            directory: try TemporaryDirectory(in: builds.scratch.path), interruption: nil,
            progress: ProgressLine(console: console), path: "/nowhere")
        let tables = try run.confirmedCounts(of: [names, names])
        #expect(tables.map { $0["a/moved/c"]?.values["allocations"]?.mean } == [1, 2])
        for build in ["base", "head"] {
            #expect(try builds.asked("a/moved/c", of: build).count == 4)
            #expect(try builds.asked("a/same/c", of: build).count == 1)
        }
        #expect(
            notes.withLock { $0 } == [
                "warning: instructions are counted by valgrind, which is not installed; install it, as by apt "
                    + "install valgrind\n"
            ])
    }
}
