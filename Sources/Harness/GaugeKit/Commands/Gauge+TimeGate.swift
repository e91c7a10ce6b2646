import GaugeMeasurement

extension Gauge {
    /// The suite of benchmarks whose time `gate` judges. An executable without it uses the default suite.
    package static let timeGateSuite = "time-gate"

    /// The benchmarks whose time is judged: those of a suite, or of the default one.
    func timeSelection(_ filter: String?, suite: String?) -> BenchmarkSelection {
        let hasOwn = benchmarks.contains { $0.suites.contains(Self.timeGateSuite) }
        return BenchmarkSelection(filter: filter, suite: suite ?? (hasOwn ? Self.timeGateSuite : "default"))
    }
}
