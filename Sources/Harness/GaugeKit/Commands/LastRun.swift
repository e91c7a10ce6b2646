import Foundation

/// The last results of each of an executable's rows in a package, to compare the next run with.
///
/// They are kept in the package's build directory, if it exists: a list of runs, newest first, each without rows that a
/// later run has measured again under the same conditions. So a run of a few rows leaves the others alone.
struct LastRun {
    private let path: String?

    /// A difference up to this isn't worth a line, nor is one that the runs can't tell from noise.
    static let delta = 0.02

    init(package: String) {
        var isDirectory: ObjCBool = false
        let folder = "\(package)/.build"
        let exists = FileManager.default.fileExists(atPath: folder, isDirectory: &isDirectory)
        let executable = (CommandLine.arguments.first ?? "gauge").split(separator: "/").last ?? "gauge"
        path = exists && isDirectory.boolValue ? "\(folder)/\(executable)-\(Self.ending)" : nil
    }

    /// Debug builds, e.g. of tests, have their own file.
    #if DEBUG
    private static let ending = "last-debug-run.json"
    #else
    private static let ending = "last-run.json"
    #endif

    static var ofCurrentDirectory: LastRun { LastRun(package: FileManager.default.currentDirectoryPath) }

    /// The most runs that are kept.
    static let most = 32
    /// The largest file that is read, bytes.
    private static let longest = 64 << 20

    /// The kept runs, newest first; none if the file is missing or invalid.
    private var runs: [JSONValue] {
        guard let path, let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber,
            size.intValue <= Self.longest, let bytes = FileManager.default.contents(atPath: path),
            let document = try? JSONDecoder().decode(JSONValue.self, from: bytes)
        else { return [] }
        return document["runs"]?.elements ?? []
    }

    private static func context(_ run: JSONValue) -> JSONValue { run["context"] ?? .null }

    private static func side(_ run: JSONValue) -> ReportedRun {
        ReportedRun(
            context: context(run),
            rows: (run["benchmarks"]?.elements ?? []).compactMap(ReportedRow.init))
    }

    /// The clock rate, gigahertz, to which the last run converted its times, so that both runs' times compare; `nil`
    /// without a last run on this kind of processor.
    func referenceClock(for environment: RunEnvironment) -> Double? {
        guard let last = runs.first.map(Self.context) else { return nil }
        let now = environment.members
        guard ["cpu_model", "library_build_type"].allSatisfy({ last[$0] == now[$0] }),
            let rate = last["noise"]?["reference_clock_ghz"]?.double, (0.01...100).contains(rate)
        else { return nil }
        return rate
    }

    /// The changed rows, and how many didn't change, in at most two lines; none without a last run.
    func changes(in document: RunDocument) -> [String] {
        let before = runs
        guard let newest = before.first else { return [] }
        let now = Self.side(GoogleBenchmarkReport(document).value)
        let like = before.filter { RunConditions.differences(Self.context($0), now.context).isEmpty }
        func date(_ run: JSONValue) -> String { Self.context(run)["date"]?.string ?? "an unknown date" }
        guard !like.isEmpty else {
            let others = RunConditions.differences(Self.context(newest), now.context).joined(separator: ", ")
            return ["the last run (\(date(newest))) had another \(others)"]
        }
        let parts = like.map { run in
            (run, FileComparison(Self.side(run), now, delta: Self.delta).report.rows.filter { $0.ratio != nil })
        }
        let met = parts.filter { !$0.1.isEmpty }
        let compared = met.flatMap(\.1)
        guard let latest = met.first?.0, let oldest = met.last?.0 else {
            return ["since the last run (\(date(like[0]))): no row has a figure in both runs"]
        }
        let span = met.count == 1 ? "run (\(date(latest)))" : "runs (\(date(oldest)) to \(date(latest)))"
        func times(_ row: ComparedRow) -> Double { row.ratio ?? 1 }
        let changed = compared.filter { $0.verdict == .worse || $0.verdict == .better }
            .sorted { abs(log(times($0))) > abs(log(times($1))) }
        let slower = changed.count { $0.verdict == .worse }
        let line =
            "since the last \(span), \(compared.count) rows: \(slower) slower, "
            + "\(changed.count - slower) faster"
        guard !changed.isEmpty else { return [line] }
        let largest = changed.prefix(3).map { "\($0.name) \(Quantity.change(times($0) - 1))" }
        return [line, "  " + largest.joined(separator: ", ") + (changed.count > 3 ? ", …" : "")]
    }

    /// Keeps the results, and from earlier runs the rows that this one didn't measure. If that fails, the next run just
    /// has nothing to compare with.
    func keep(_ document: RunDocument) {
        guard let path, case .object(let new) = GoogleBenchmarkReport(document).value else { return }
        let names = Set(document.rows.map(\.name.description))
        let others = runs.compactMap { run -> JSONValue? in
            guard case .object(var members) = run else { return nil }
            if RunConditions.differences(Self.context(run), new["context"] ?? .null).isEmpty {
                members["benchmarks"] = .list(
                    (members["benchmarks"]?.elements ?? []).filter { !names.contains($0["run_name"]?.string ?? "") })
            }
            return members["benchmarks"]?.elements.isEmpty == false ? .object(members) : nil
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let kept = JSONValue.object(["runs": .list(Array(([.object(new)] + others).prefix(Self.most)))])
        try? encoder.encode(kept).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
}
