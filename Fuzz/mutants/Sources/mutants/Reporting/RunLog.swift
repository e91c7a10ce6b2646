import Foundation

/// The results of a run so far, in an append-only file, so that a stopped run can continue.
///
/// Each line is an event, with fields separated by tabs. A line cut short by a stop is dropped.
struct RunLog {
    private let path: String
    /// Candidates that didn't compile.
    private(set) var dropped: Set<Int> = []
    /// Candidates that compiled and are tried.
    private(set) var chosen: Set<Int>?
    /// Trials that fail without a mutant.
    private(set) var failing: Set<Trial> = []
    private(set) var baselines: [Trial: Baseline] = [:]
    private(set) var outcomes: [Int: [Stage: Outcome]] = [:]

    /// Opens the log, or creates it.
    ///
    /// - Parameters:
    ///   - plan: identifies the mutants; a log of others is refused.
    ///   - isRead: whether to only read, since another process adds to it.
    init(path: String, plan: String, isRead: Bool = false) throws {
        self.path = path
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        let whole = text.lastIndex(of: "\n").map { text[...$0] } ?? ""
        let lines = whole.split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
        if let first = lines.first {
            guard first == ["plan", plan[...]] else {
                throw Failure("\(path) is of other sources or another choice; pass --fresh to start over")
            }
            for fields in lines.dropFirst() { read(fields) }
            if !isRead { try Data(whole.utf8).write(to: URL(filePath: path)) }
        } else {
            try Data("plan\t\(plan)\n".utf8).write(to: URL(filePath: path))
        }
    }

    private mutating func read(_ fields: [Substring]) {
        switch fields.first {
        case "built" where fields.count == 3:
            dropped = Self.numbers(fields[1])
            chosen = Self.numbers(fields[2])
        case "failing" where fields.count == 3:
            if let stage = Stage(rawValue: String(fields[1])), let trial = Trial(stage, String(fields[2])) {
                failing.insert(trial)
            }
        case "baseline" where fields.count == 5:
            guard let stage = Stage(rawValue: String(fields[1])), let trial = Trial(stage, String(fields[2])),
                let seconds = Double(fields[3])
            else { return }
            baselines[trial] = Baseline(
                processorSeconds: seconds, reached: Self.numbers(fields[4]))
        case "outcome" where fields.count == 6:
            guard let number = Int(fields[1]), let stage = Stage(rawValue: String(fields[2])),
                let kind = Outcome.Kind(rawValue: String(fields[3])), let seconds = Double(fields[4])
            else { return }
            outcomes[number, default: [:]][stage] = Outcome(kind: kind, seconds: seconds, detail: String(fields[5]))
        default: break
        }
    }

    private static func numbers(_ field: Substring) -> Set<Int> {
        Set(field.split(separator: " ").compactMap { Int($0) })
    }

    private static func field(_ numbers: Set<Int>) -> String {
        numbers.sorted().map(String.init).joined(separator: " ")
    }

    /// Notes which candidates didn't compile, and which others are tried.
    mutating func built(dropped: Set<Int>, chosen: Set<Int>) throws {
        try append(["built", Self.field(dropped), Self.field(chosen)])
    }

    /// Notes that a trial fails without a mutant.
    mutating func addFailing(_ trial: Trial) throws { try append(["failing", trial.stage.rawValue, trial.name]) }

    mutating func add(_ baseline: Baseline, of trial: Trial) throws {
        let seconds = String(baseline.processorSeconds)
        try append(["baseline", trial.stage.rawValue, trial.name, seconds, Self.field(baseline.reached)])
    }

    mutating func add(_ outcome: Outcome, of mutant: Int, in stage: Stage) throws {
        try append(Self.line(outcome, of: mutant, in: stage))
    }

    /// Adds an outcome printed by another process of the run, see ``line(_:of:in:)``.
    mutating func addOutcome(_ line: String) throws {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard fields.count == 6, fields[0] == "outcome" else { throw Failure("'\(line)' is not an outcome") }
        try append(fields)
    }

    static func line(_ outcome: Outcome, of mutant: Int, in stage: Stage) -> [String] {
        let detail = String(outcome.detail.map { $0.isNewline || $0 == "\t" ? " " : $0 })
        return ["outcome", String(mutant), stage.rawValue, outcome.kind.rawValue, String(outcome.seconds), detail]
    }

    /// Forgets the surviving mutants' outcomes and the trials' durations, because there are new tests.
    mutating func forgetSurvivors() throws {
        let killed = outcomes.filter { $1.values.contains { $0.kind == .killed } }
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        let kept = lines.filter { line in
            let fields = line.split(separator: "\t")
            if fields[0] == "outcome" { return Int(fields[1]).map { killed[$0] != nil } ?? false }
            return fields[0] != "baseline" && fields[0] != "failing"
        }
        try Data((kept.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path))
        outcomes = killed
        baselines = [:]
        failing = []
    }

    private mutating func append(_ fields: [String]) throws {
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        defer { try? file.close() }
        try file.seekToEnd()
        try file.write(contentsOf: Data((fields.joined(separator: "\t") + "\n").utf8))
        read(fields.map { $0[...] })
    }
}
