import Foundation
import GaugeSupport
import Platform

/// Tests the time gate: adds real extra work to one variant, and counts how often the gate detects it, and how often it
/// reports a regression in an unchanged one.
///
/// Both variants are one build, made as a gate makes its builds, so that only the work differs. Rounds are written to a
/// log, which a later call continues.
package struct SelfTest {
    package let console: Console
    package let selection: [String]
    package var settings: RunSettings
    /// How many rounds the log will have at the end.
    package let rounds: Int
    /// The time limit of one round, seconds.
    package let seconds: Double
    package let delta: Double
    /// The build of the package under test, with aligned code.
    package let recipe: ProductBuild
    package let package: String

    package init(
        console: Console, selection: [String], settings: RunSettings, rounds: Int, seconds: Double, delta: Double,
        recipe: ProductBuild, package: String
    ) {
        (self.console, self.selection, self.settings, self.rounds) = (console, selection, settings, rounds)
        (self.seconds, self.delta, self.recipe, self.package) = (seconds, delta, recipe, package)
    }

    /// The default number of rounds: 20 decisions for each of the four sizes, and 320 clean ones.
    package static let defaultRounds = 80
    package static let defaultSeconds = 40.0
    package static let longestSeconds = 60.0

    /// - Returns: `interrupted` after an interruption; the log then holds all finished rounds.
    package func run(log: SelfTestLog, directory: String?) throws -> ExitCode {
        let temporary = try TemporaryDirectory(in: directory)
        defer { temporary.remove() }
        let interruption = try Interruption()
        let plan = SelfTestPlan(seed: settings.seed, candidates: selection)
        var variants: GateArms?
        return try log.run(
            SelfTestRecord.Settings(seed: settings.seed, delta: delta, seconds: seconds, benchmarks: selection),
            rounds: rounds, of: "round", console: console, table: { SelfTestReport($0).markdown }
        ) { number in
            guard let round = plan.round(number) else { throw EndedSelfTest(exitCode: .ok) }
            let arms = try variants ?? build(in: temporary, interruption)
            variants = arms
            if number == 0 { try confirm(log, temporary, interruption) }
            let record = try measure(round, of: arms, number: number, temporary, interruption)
            return (record, Self.line(record, of: rounds))
        }
    }

    private func build(in directory: TemporaryDirectory, _ interruption: Interruption) throws -> GateArms {
        let progress = ProgressLine(console: console)
        defer { progress.clear() }
        func build(_ name: String, _ flags: [String] = []) throws -> String {
            var recipe = recipe
            recipe.flags += flags
            let built = try recipe.build(
                package: package, scratch: AlignedCode.scratch(of: package), title: "the package",
                in: directory, interruption: interruption)
            return try GateBuilds.copy(built, named: name, to: directory)
        }
        progress.show("building the package")
        let base = try build("base")
        progress.show("linking it with padding")
        return GateArms(
            base: base, padded: try build("padd", try LayoutPadding.linkerFlags(in: directory)), current: base)
    }

    private func measure(
        _ round: SelfTestPlan.Round, of variants: GateArms, number: Int, _ directory: TemporaryDirectory,
        _ interruption: Interruption
    ) throws -> SelfTestRecord.Round {
        let start = monotonicNanoseconds()
        var settings = settings
        settings.seed = SplitMix64.mix(settings.seed &+ UInt64(number))
        let experiment = Experiment(settings: settings, directory: directory, interruption: interruption)
        func work(_ benchmark: String) -> Double { benchmark == round.planted ? round.size : 0 }
        let progress = ProgressLine(console: console)
        let plan = LookPlan(benchmarks: round.benchmarks.count)
        var rows = round.benchmarks.map { ExperimentRow($0, plan: plan, delta: delta) }
        try experiment.run(&rows, arms: { variants.arms(of: $0, extraWork: work($0)) }, seconds: seconds) {
            progress.show("round \(number + 1)/\(rounds) \($0)")
        }
        progress.clear()
        return SelfTestRecord.Round(
            number: number, nanoseconds: monotonicNanoseconds() - start,
            decisions: rows.map { SelfTestRecord.Decision($0, planted: work($0.benchmark)) })
    }

    /// Counts the instructions of the planted work, once per log. If that isn't possible, the report says so.
    private func confirm(_ log: SelfTestLog, _ directory: TemporaryDirectory, _ interruption: Interruption) throws {
        do {
            let counter = try InstructionCounter(directory: directory, interruption: interruption)
            try confirm(log) { name, settings in
                ProgressLine(console: console).show("counting the instructions of \(name)")
                return try counter.count(name, settings: settings, timeOut: 120).perOperation
            }
        } catch let error as GaugeError {
            console.note("warning: the planted work is not confirmed by counting instructions: \(error)\n")
        }
    }

    /// Counts each selected benchmark that the log doesn't have yet, without and with planted work, whose sizes take
    /// turns.
    ///
    /// - Parameter count: the instructions of one operation.
    func confirm(_ log: SelfTestLog, count: (_ benchmark: String, _ settings: RunSettings) throws -> Double) throws {
        for (number, name) in selection.enumerated() {
            let size = SelfTestPlan.sizes[number % SelfTestPlan.sizes.count]
            guard !log.records.contains(where: { $0.counted?.benchmark == name }) else { continue }
            var more = settings
            more.extraWork = size
            let without = try count(name, settings)
            let with = try count(name, more)
            try log.add(.instructions(PlantedInstructions(benchmark: name, size: size, without: without, with: with)))
        }
    }

    /// `round 3/80, 24.1 s: date/imf/tiered +3 % regressed, clean: 4 equivalent`
    static func line(_ round: SelfTestRecord.Round, of rounds: Int) -> String {
        let planted = round.decisions.filter { $0.planted > 0 }.map {
            "\($0.benchmark) \(Quantity.change($0.planted)) \($0.verdict.rawValue)"
        }
        let clean = Dictionary(grouping: round.decisions.filter { $0.planted == 0 }, by: \.verdict.rawValue)
        let counts = clean.sorted { $0.key < $1.key }.map { "\($1.count) \($0)" }
        return "round \(round.number + 1)/\(rounds), \(round.seconds) s: \(planted.joined(separator: ", ")); "
            + "clean: \(counts.joined(separator: ", "))\n"
    }
}

extension SelfTestRecord.Decision {
    package init(_ row: ExperimentRow, planted: Double) {
        func part(_ logarithm: Double?) -> Double? { logarithm.map { (expm1($0) * 1e6).rounded() / 1e6 } }
        let judgement = row.judgement.time
        let tail = row.failure == nil ? row.judgement.tails[.p99] : nil
        self.init(
            benchmark: row.benchmark, planted: planted, verdict: judgement.verdict,
            doubt: judgement.doubt?.rawValue, change: part(judgement.change?.value),
            low: part(judgement.change?.interval.lowerBound), high: part(judgement.change?.interval.upperBound),
            same: part(judgement.same?.value), layout: part(judgement.layout?.value),
            resolution: judgement.same == nil ? nil : part(judgement.resolution), sets: judgement.sets,
            failure: row.failure, tail: tail?.verdict)
        face = row.judgement.face
    }
}
