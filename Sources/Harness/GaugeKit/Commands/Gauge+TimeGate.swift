extension Gauge {
    /// The suite of benchmarks whose time `gate` judges. An executable without it uses the default suite.
    package static let timeGateSuite = "time-gate"

    /// The suite that is judged by default.
    var defaultTimeSuite: String {
        benchmarks.contains { $0.suites.contains(Self.timeGateSuite) } ? Self.timeGateSuite : "default"
    }
}
