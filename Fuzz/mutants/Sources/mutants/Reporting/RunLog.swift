import Foundation

/// The results of a run so far, in an append-only file, so that a stopped run can continue where it was.
///
/// Each line is an event, with fields separated by tabs. A line cut short by a stop is dropped.
struct RunLog {
    private let path: String
    private(set) var dropped: Set<Int> = []
    private(set) var isBuilt = false
    private(set) var baselines: [Trial: Baseline] = [:]
    private(set) var outcomes: [Int: [Stage: Outcome]] = [:]

    /// Opens the log, or creates it.
    ///
    /// - Parameter plan: identifies the mutants; a log of other mutants is refused.
    init(path: String, plan: String) throws {
        self.path = path
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        let whole = text.lastIndex(of: "\n").map { text[...$0] } ?? ""
        let lines = whole.split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
        if let first = lines.first {
            guard first == ["plan", plan[...]] else {
                throw Failure("\(path) is of other sources or another choice; pass --fresh to start over")
            }
            for fields in lines.dropFirst() { read(fields) }
            try Data(whole.utf8).write(to: URL(filePath: path))
        } else {
            try Data("plan\t\(plan)\n".utf8).write(to: URL(filePath: path))
        }
    }

    private mutating func read(_ fields: [Substring]) {
        switch fields.first {
        case "built" where fields.count == 2:
            dropped = Self.numbers(fields[1])
            isBuilt = true
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

    /// Notes which mutants did not compile.
    mutating func built(dropped: Set<Int>) throws { try append(["built", Self.field(dropped)]) }

    mutating func add(_ baseline: Baseline, of trial: Trial) throws {
        let seconds = String(baseline.processorSeconds)
        try append(["baseline", trial.stage.rawValue, trial.name, seconds, Self.field(baseline.reached)])
    }

    mutating func add(_ outcome: Outcome, of mutant: Int, in stage: Stage) throws {
        let detail = String(outcome.detail.map { $0.isNewline || $0 == "\t" ? " " : $0 })
        try append([
            "outcome", String(mutant), stage.rawValue, outcome.kind.rawValue, String(outcome.seconds), detail,
        ])
    }

    /// Forgets the outcomes of the surviving mutants and the durations of the trials, because there are new tests.
    mutating func forgetSurvivors() throws {
        let killed = outcomes.filter { $1.values.contains { $0.kind == .killed } }
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        let kept = lines.filter { line in
            let fields = line.split(separator: "\t")
            if fields[0] == "outcome" { return Int(fields[1]).map { killed[$0] != nil } ?? false }
            return fields[0] != "baseline"
        }
        try Data((kept.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path))
        outcomes = killed
        baselines = [:]
    }

    private mutating func append(_ fields: [String]) throws {
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        defer { try? file.close() }
        try file.seekToEnd()
        try file.write(contentsOf: Data((fields.joined(separator: "\t") + "\n").utf8))
        read(fields.map { $0[...] })
    }
}
