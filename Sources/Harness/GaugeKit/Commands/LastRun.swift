import Foundation
import GaugeMeasurement
import GaugeReports
import GaugeSupport
import GaugeVerdicts

/// The results of an executable's last run in a package, which its next run compares itself with.
///
/// They are kept in the package's build directory, if it exists.
struct LastRun {
    private let path: String?

    /// Differences that are not worth a line, beside those that the runs cannot tell from noise.
    static let delta = 0.02

    init(package: String) {
        var isDirectory: ObjCBool = false
        let folder = "\(package)/.build"
        let exists = FileManager.default.fileExists(atPath: folder, isDirectory: &isDirectory)
        let executable = (CommandLine.arguments.first ?? "gauge").split(separator: "/").last ?? "gauge"
        path = exists && isDirectory.boolValue ? "\(folder)/\(executable)-\(Self.ending)" : nil
    }

    /// Debug builds, for instance those of tests, keep a file beside the one of release builds.
    #if DEBUG
    private static let ending = "last-debug-run.json"
    #else
    private static let ending = "last-run.json"
    #endif

    static var ofCurrentDirectory: LastRun { LastRun(package: FileManager.default.currentDirectoryPath) }

    /// The clock rate, gigahertz, to which the last run converted its times, so that the times of both runs compare;
    /// `nil` without a last run on this kind of processor.
    func referenceClock(for environment: RunEnvironment) -> Double? {
        guard let path, let last = try? FileComparison.Side(path: path) else { return nil }
        let now = environment.members
        guard ["cpu_model", "library_build_type"].allSatisfy({ last.context[$0] == now[$0] }),
            let rate = last.context["noise"]?["reference_clock_ghz"]?.double, (0.01...100).contains(rate)
        else { return nil }
        return rate
    }

    /// The rows that changed, and the number of those that did not, in at most two lines; none without a last run.
    func changes(in document: RunDocument) -> [String] {
        guard let path, let before = try? FileComparison.Side(path: path),
            let text = try? RunFormat.json.text(document),
            case .run(let context, let rows)? = try? ResultDocument(bytes: Data(text.utf8), name: "this run")
        else { return [] }
        let comparison = FileComparison(
            before, FileComparison.Side(title: "this run", context: context, rows: rows), delta: Self.delta)
        let date = before.context["date"]?.string ?? "an unknown date"
        guard comparison.differences.isEmpty else {
            return [
                "the last run (\(date)) had another \(comparison.differences.joined(separator: ", "))"
            ]
        }
        let compared = comparison.report.rows.filter { $0.ratio != nil }
        guard !compared.isEmpty else { return ["since the last run (\(date)): no row has a figure in both runs"] }
        func times(_ row: ComparedRow) -> Double { row.ratio ?? 1 }
        let changed = compared.filter { $0.kind == .slower || $0.kind == .faster }
            .sorted { abs(log(times($0))) > abs(log(times($1))) }
        let slower = changed.count { $0.kind == .slower }
        let line =
            "since the last run (\(date)), \(compared.count) rows: \(slower) slower, "
            + "\(changed.count - slower) faster"
        guard !changed.isEmpty else { return [line] }
        let largest = changed.prefix(3).map { "\($0.name) \(TimeReport.percent(times($0) - 1))" }
        return [line, "  " + largest.joined(separator: ", ") + (changed.count > 3 ? ", …" : "")]
    }

    /// Keeps the results. A failure is not the run's: the next run then has nothing to compare with.
    func keep(_ document: RunDocument) {
        guard let path, let text = try? RunFormat.json.text(document) else { return }
        try? Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
}
