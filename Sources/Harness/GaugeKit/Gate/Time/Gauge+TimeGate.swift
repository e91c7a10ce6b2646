extension Gauge {
    /// The suite of the benchmarks whose time `gate` judges. An executable that has none of them judges its default suite.
    public static let timeGateSuite = "time-gate"

    /// What is judged when nothing else is asked for.
    var defaultTimeSuite: String {
        benchmarks.contains { $0.suites.contains(Self.timeGateSuite) } ? Self.timeGateSuite : "default"
    }
}
