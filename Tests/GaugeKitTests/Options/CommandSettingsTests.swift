import TestSupport
import Testing

@testable import GaugeKit
@testable import GaugeMeasurement
@testable import GaugeSupport
@testable import GaugeTraces

/// Each option reaches its own setting, with values that all differ, and without options each setting has its default.
@Suite("Settings of commands") struct CommandSettingsTests {
    private func parsed<Command: GaugeCommand>(_ type: Command.Type, _ arguments: String...) throws -> Command {
        try Command(ParsedArguments(arguments, of: Command.specification))
    }

    private struct NoRules: CachingRules {
        func verdict(on exchange: HTTPExchange) -> CachingVerdict {
            CachingVerdict(mayBeAnswered: false, freshSeconds: nil)
        }
    }

    private let common = ["--memory=3MiB", "--disk=7MiB", "--seed=9", "--directory=/d"]

    private func expectCommon(_ settings: RunSettings, _ directory: String?) {
        #expect(settings.memory.bytes == 3 << 20 && settings.disk.bytes == 7 << 20 && settings.seed == 9)
        #expect(directory == "/d")
    }

    private func expectUsual(_ settings: RunSettings, _ directory: String?) {
        #expect(settings.memory.bytes == 4 << 20 && settings.disk.bytes == 20 << 20 && settings.seed == 1)
        #expect(directory == nil)
    }

    @Test("run") func run() throws {
        let scratch = try ScratchDirectory()
        let run = try RunCommand(
            ParsedArguments(
                common + [
                    "--filter=f", "--suite=s", "--format=csv", "--json=\(scratch.path)/json", "--verbose",
                    "--sets=3", "--samples=4", "--precision=2%", "--seconds=5", "--time-out=6", "--workload=image-feed",
                    "--rate=70",
                ], of: RunCommand.specification))
        #expect(run.selection.filter == "f" && run.selection.suite == "s" && run.format == .csv && run.file != nil)
        #expect(run.isVerbose && !run.countsInstructions && run.repeatability == nil)
        #expect(run.plan.sets == 3 && run.plan.samples == 4 && run.plan.precision == 0.02 && run.plan.seconds == 5)
        #expect(run.settings.timeOut == 6 && run.load?.plan.name == "image-feed")
        #expect(run.load?.rate == 70 && run.settings.load?.arguments.last == "--rate=70.0")
        expectCommon(run.settings, run.directory)
        #expect(try parsed(RunCommand.self, "--instructions").countsInstructions)

        let usual = try parsed(RunCommand.self)
        #expect(usual.selection.filter == nil && usual.selection.suite == "default" && usual.format == .table)
        #expect(usual.file == nil && !usual.isVerbose && !usual.countsInstructions && usual.settings.load == nil)
        #expect(usual.plan.sets == nil && usual.plan.samples == nil && usual.plan.precision == nil)
        #expect(usual.plan.seconds == 50 && usual.settings.timeOut == 10)
        expectUsual(usual.settings, usual.directory)
        for bound in ["--sets=3", "--precision=1"] {
            #expect(try parsed(RunCommand.self, bound).plan.seconds == 86_400)
            #expect(try parsed(RunCommand.self, bound, "--seconds=8").plan.seconds == 8)
        }
        #expect(try parsed(RunCommand.self, "--samples=3").plan.seconds == 50)
    }

    @Test("run --self-test") func selfTests() throws {
        let test = try #require(try parsed(RunCommand.self, "--self-test=5", "--log=l", "--busy=2").repeatability)
        #expect(test.runs == 5 && test.log == "l" && test.busy == 2)
        let usual = try #require(try parsed(RunCommand.self, "--self-test=5").repeatability)
        #expect(usual.log == "run-self-test.log" && usual.busy == 0)
        let selfTest = try #require(try parsed(CompareCommand.self, "--self-test", "--tries=3", "--log=l").selfTest)
        #expect(selfTest.tries == 3 && selfTest.log == "l")
        let selfTestUsual = try #require(try parsed(CompareCommand.self, "--self-test").selfTest)
        #expect(selfTestUsual.tries == 10 && selfTestUsual.log == "compare-self-test.log")
    }

    @Test("gate") func gate() throws {
        let gate = try GateCommand(
            ParsedArguments(
                common + [
                    "--base=main", "--filter=f", "--suite=s", "--delta=2.5", "--seconds=50", "--product=p",
                    "--build-options=--traits  SQLite", "--require=misses, memory hits", "--strict", "--no-growth",
                ], of: GateCommand.specification))
        #expect(gate.revision == "main" && gate.otherExecutable == nil && gate.selfTest == nil && !gate.judgesGrowth)
        #expect(gate.judgesCounts && gate.judgesTime && gate.suite == "s")
        #expect(gate.selection.filter == "f" && gate.selection.suite == "s")
        #expect(gate.timeGate == (0.025, 50))
        #expect(gate.conditions.required.map(\.name) == ["misses", "memory hits"])
        #expect(gate.conditions.isStrict && !gate.conditions.failsOnImprovement)
        #expect(gate.recipe.product == "p" && gate.recipe.flags == ["--traits", "SQLite"] + AlignedCode.flags)
        expectCommon(gate.settings, gate.directory)

        let usual = try parsed(GateCommand.self, "--base=x", "--counts", "--product=p", "--fail-on-improvement")
        #expect(usual.judgesCounts && !usual.judgesTime && usual.judgesGrowth && usual.recipe.flags == [])
        #expect(usual.timeGate == (0.01, 510) && usual.suite == nil && usual.selection.suite == "default")
        #expect(usual.conditions == .init(failsOnImprovement: true))
        expectUsual(usual.settings, usual.directory)
        let times = try parsed(GateCommand.self, "--base=x", "--times", "--product=p")
        #expect(!times.judgesCounts && times.judgesTime)
        let other = try parsed(GateCommand.self, "--base-executable=e")
        #expect(other.otherExecutable == "e" && other.judgesCounts && !other.judgesTime)
        let both = try parsed(GateCommand.self, "--base-executable=e", "--times")
        #expect(!both.judgesCounts && both.judgesTime)
    }

    @Test("a filter that is no regular expression is told before anything is built") func gateFilter() throws {
        for base in ["--base=main", "--base-executable=e"] {
            let error = #expect(throws: UsageError.self) { try parsed(GateCommand.self, base, "--filter=(") }
            #expect(error?.description.contains("filter '(' is not a regular expression") == true)
        }
    }

    @Test("gate --self-test") func gateSelfTest() throws {
        let gate = try GateCommand(
            ParsedArguments(
                common + [
                    "--self-test", "--rounds=3", "--log=l", "--filter=f", "--suite=s", "--seconds=20",
                    "--delta=3", "--product=p", "--build-options=-x",
                ], of: GateCommand.specification))
        let test = try #require(gate.selfTest)
        #expect(test.rounds == 3 && test.log == "l" && test.seconds == 20)
        #expect(gate.selection.filter == "f" && gate.suite == "s" && gate.timeGate.delta == 0.03)
        #expect(gate.recipe.product == "p" && gate.recipe.flags == ["-x"] + AlignedCode.flags)
        expectCommon(gate.settings, gate.directory)
        let usual = try parsed(GateCommand.self, "--self-test", "--product=p")
        let round = try #require(usual.selfTest)
        #expect(round.rounds == 80 && round.log == "gate-self-test.log" && round.seconds == 40)
        #expect(usual.selection.filter == nil && usual.suite == nil && usual.timeGate.delta == 0.01)
        #expect(usual.recipe.flags == AlignedCode.flags)
        expectUsual(usual.settings, usual.directory)
        #expect(try parsed(GateCommand.self, "--self-test", "--seconds=60", "--product=p").selfTest?.seconds == 60)
    }

    @Test("compare") func compare() throws {
        let compare = try CompareCommand(
            ParsedArguments(
                common + [
                    "left", "right", "--filter=f", "--suite=s", "--seconds=20", "--delta=2.5", "--format=json",
                    "--product=p", "--build-options=-x",
                ], of: CompareCommand.specification))
        #expect(compare.operands?.a == "left" && compare.operands?.b == "right" && compare.selfTest == nil)
        #expect(compare.filter == "f" && compare.suite == "s" && compare.seconds == 20 && compare.delta == 0.025)
        #expect(compare.format == .json && compare.recipe.product == "p")
        #expect(compare.recipe.flags == ["-x"] + AlignedCode.flags)
        expectCommon(compare.settings, compare.directory)
        let usual = try parsed(CompareCommand.self, "left", "right")
        #expect(usual.filter == nil && usual.suite == nil && usual.seconds == 10 && usual.delta == 0.005)
        #expect(usual.format == .text)
        expectUsual(usual.settings, usual.directory)
    }

    @Test("worker") func worker() throws {
        let worker = try WorkerCommand(
            ParsedArguments(
                common + [
                    "--benchmark=b", "--extra-work=0.03", "--fill-seconds=5", "--workload=image-feed", "--rate=60",
                ],
                of: WorkerCommand.specification))
        #expect(worker.name == "b" && worker.directory == "/d" && worker.seed == 9)
        #expect(worker.memory.bytes == 3 << 20 && worker.disk.bytes == 7 << 20)
        #expect(worker.extraWork == 0.03 && worker.fillSeconds == 5)
        #expect(worker.load?.rate == 60 && worker.load?.plan.name == "image-feed")
        let context = worker.context
        #expect(context.seed == 9 && context.memoryCapacity == 3 << 20 && context.diskCapacity == 7 << 20)
        #expect(context.directory == "/d" && context.fillSeconds == 5)
        let usual = try parsed(WorkerCommand.self, "--benchmark=b", "--directory=/e")
        #expect(usual.extraWork == 0 && usual.fillSeconds == .infinity && usual.load == nil && usual.seed == 1)
        #expect(usual.memory.bytes == 4 << 20 && usual.disk.bytes == 20 << 20)
    }

    @Test("verify, and the processes that it starts") func verify() throws {
        let model = try #require(Promise.all.first { $0.sequences != nil }).name
        let options = ["--subject=s", "--promise=\(model)", "--seed=9", "--policy=gdsf", "--directory=/d"]
        let tried = ["--steps=1-3", "--search=0.5"]
        let verify = try VerifyCommand(
            ParsedArguments(options + tried + ["--time-out=5", "--format=json"], of: VerifyCommand.specification))
        #expect(verify.name == "s" && verify.promises.map(\.name) == [model] && verify.seconds == 5)
        #expect(verify.model.seed == 9 && verify.model.steps == [1, 2, 3] && verify.model.seconds == 0.5)
        #expect(verify.policy == .gdsf && verify.format == .json && verify.directory == "/d")
        let worker = try VerifyWorkerCommand(ParsedArguments(options + tried, of: VerifyWorkerCommand.specification))
        #expect(worker.name == "s" && worker.promises.map(\.name) == [model] && worker.directory == "/d")
        #expect(worker.model.seed == 9 && worker.model.steps == [1, 2, 3] && worker.model.seconds == 0.5)
        #expect(worker.policy == .gdsf)
        let subject = try VerifySubjectCommand(ParsedArguments(options, of: VerifySubjectCommand.specification))
        #expect(subject.name == "s" && subject.seed == 9 && subject.policy == .gdsf && subject.directory == "/d")
        let usual = try parsed(VerifyCommand.self)
        #expect(usual.name == nil && usual.promises.count == Promise.all.count && usual.seconds == 60)
        #expect(usual.model.seed == 1 && usual.model.seconds == 6 && usual.model.steps == nil && usual.policy == .lru)
        let plain = try parsed(VerifyWorkerCommand.self, "--promise=\(model)", "--directory=/d")
        #expect(plain.policy == .lru && plain.model.seed == 1)
        #expect(try parsed(VerifySubjectCommand.self, "--promise=\(model)", "--directory=/d").seed == 1)
    }

    @Test("simulate") func simulate() throws {
        let simulate = try SimulateCommand(
            ParsedArguments(
                common + [
                    "image-feed", "--cache=c", "--days=2", "--round-trip=30", "--bandwidth=16", "--policy=gdsf",
                    "--format=json",
                ], of: SimulateCommand.specification))
        #expect(simulate.plan.name == "image-feed" && simulate.name == "c" && simulate.seconds == 172_800)
        #expect(simulate.network == Simulation.Network(roundTrip: 0.03, bandwidth: 2_000_000))
        #expect(simulate.policy == .gdsf && simulate.format == .json && simulate.directory == "/d")
        #expect(simulate.memory.bytes == 3 << 20 && simulate.disk.bytes == 7 << 20 && simulate.seed == 9)
        let configuration = simulate.configuration(directory: "/e")
        #expect(configuration.memoryCapacity == 3 << 20 && configuration.diskCapacity == 7 << 20)
        #expect(configuration.policy == .gdsf && configuration.directory == "/e")
        let usual = try parsed(SimulateCommand.self, "image-feed")
        #expect(usual.seconds == 604_800 && usual.network == Simulation.Network(roundTrip: 0.05, bandwidth: 1_250_000))
        #expect(usual.name == nil && usual.policy == .lru && usual.seed == 1 && usual.format == .text)
        #expect(usual.memory.bytes == 4 << 20 && usual.disk.bytes == 20 << 20)
    }

    @Test("mrc") func mrc() throws {
        let mrc = try parsed(
            MRCCommand.self, "t", "--by=bytes", "--policy=arc, lru", "--capacities=1KiB, 3KiB", "--two-tier=5KiB",
            "--admission=any", "--format=csv", "--seed=9", "--sample=0.5", "--sample-objects=64", "--shard=2/4",
            "--size-changes=ignore", "--sizes=constant,bytes=99")
        #expect(mrc.unit == .bytes && Set(mrc.policies.map(\.name)) == ["arc", "lru"] && mrc.offline == [])
        #expect(mrc.capacities == [1_024, 3_072] && mrc.disk == 5_120 && mrc.admission == .any && mrc.form == .csv)
        #expect(mrc.seed == 9 && mrc.merged == [] && mrc.trace.sizeChanges == .ignore)
        #expect(
            mrc.sample
                == KeySample(seed: SplitMix64.derive(9, "sample"), rate: 0.5, mostKeys: 64, shard: 1, of: 4))
        let usual = try parsed(MRCCommand.self, "t")
        #expect(usual.unit == nil && usual.policies.map(\.name) == ["lru"] && usual.capacities == nil)
        #expect(usual.disk == nil && usual.admission == .tier && usual.form == .text && usual.sample == nil)
        #expect(try parsed(MRCCommand.self, "--merge", "a", "b").merged == ["a", "b"])
        #expect(try parsed(MRCCommand.self, "t", "--policy=pfoo-l,lru").offline.map(\.rawValue) == ["pfoo-l"])
        var gauge = Gauge(benchmarks: [])
        #expect(usual.admissionRule(of: gauge).share == 1 && mrc.admissionRule(of: gauge).share == 1)
        gauge.admission = AdmissionRule(keyBytes: nil, overhead: 5, share: 20)
        #expect(usual.admissionRule(of: gauge).share == 20 && mrc.admissionRule(of: gauge).share == 1)
        let part = try parsed(MRCCommand.self, "t", "--shard=1/4").sample
        #expect(part == KeySample(seed: SplitMix64.derive(1, "sample"), shard: 0, of: 4))
    }

    @Test("replay, and the process that it starts") func replay() throws {
        let written = [
            "--subject=s", "--policy=gdsf", "--no-bounds", "--rate=0.75", "--format=json", "--memory=3MiB",
            "--disk=7MiB", "--seed=9", "--strict", "--trace-format=be32", "--size-changes=ignore",
            "--sizes=constant,bytes=99", "a", "b",
        ]
        let first = try ReplayOptions(ParsedArguments(written, of: ReplayCommand.specification))
        let again = try ReplayOptions(
            ParsedArguments(first.arguments(directory: "/d"), of: ReplayWorkerCommand.specification))
        #expect(first.directory == nil && again.directory == "/d")
        for options in [first, again] {
            #expect(options.subject == "s" && options.policy == .gdsf && !options.wantsBounds && !options.noBodies)
            #expect(options.pace == .evenly(rate: 0.75) && options.format == .json && options.entries == nil)
            #expect(options.memory.bytes == 3 << 20 && options.disk.bytes == 7 << 20 && options.seed == 9)
            #expect(options.trace.skipping == .nothing && options.trace.format == .be32)
            #expect(options.trace.sizeChanges == .ignore && options.trace.operands == ["a", "b"])
            let settings = options.settings(directory: "/e", rules: nil)
            #expect(settings.configuration.memoryCapacity == 3 << 20 && settings.configuration.diskCapacity == 7 << 20)
            #expect(settings.configuration.policy == .gdsf && settings.configuration.directory == "/e")
            #expect(settings.configuration.entryLimit == nil && !settings.wantsBounds)
            #expect(settings.pace == .evenly(rate: 0.75) && settings.sizeChanges == .ignore)
            #expect(settings.sizes.size(of: 5) == 99)
        }
    }

    @Test("replay of entries, at the times of the trace") func replayOfEntries() throws {
        let written = ["--entries=50", "--times=trace", "--speedup=2.5", "--skip-damaged", "--", "-a"]
        let first = try ReplayOptions(ParsedArguments(written, of: ReplayCommand.specification))
        let again = try ReplayOptions(
            ParsedArguments(first.arguments(directory: "/d"), of: ReplayWorkerCommand.specification))
        for options in [first, again] {
            #expect(options.entries == 50 && options.pace == .traceTimes(speedup: 2.5) && options.wantsBounds)
            #expect(options.trace.skipping == .damage && options.trace.operands == ["-a"] && options.subject == nil)
            #expect(options.diskCapacity == nil && options.capacity.count == 50 && options.capacity.unit == .entries)
            let configuration = options.settings(directory: "/e", rules: nil).configuration
            #expect(configuration.entryLimit == 50 && configuration.memoryCapacity == 0)
            #expect(configuration.diskCapacity == 0)
        }
        let simulated = try ReplayOptions(
            ParsedArguments(["--no-bodies", "--memory=1KiB", "a"], of: ReplayCommand.specification))
        #expect(simulated.noBodies && !simulated.wantsBounds && simulated.pace == .closedLoop)
        #expect(simulated.capacity.count == 1_024 && simulated.diskCapacity == 20 << 20)
    }

    @Test("the rules that an executable has are those of its replays") func rules() throws {
        let options = try ReplayOptions(ParsedArguments(["a"], of: ReplayCommand.specification))
        let rules = NoRules()
        #expect(options.settings(directory: "", rules: rules).rules is NoRules)
        #expect(!(options.settings(directory: "", rules: nil).rules is NoRules))
    }
}
