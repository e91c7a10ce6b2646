import GaugeMeasurement
import GaugeSupport

/// The progress of a command that reads a trace, shown ten times a second on a terminal.
struct CountProgress {
    private let line: ProgressLine
    private let what: String
    private var shown = LatencyRecorder.now()

    /// - Parameter what: what is counted: `requests`.
    init(_ what: String, on console: Console) {
        line = ProgressLine(console: console)
        self.what = what
    }

    mutating func show(_ count: @autoclosure () -> String) {
        guard LatencyRecorder.now() - shown > 100_000_000 else { return }
        line.show("\(count()) \(what)")
        shown = LatencyRecorder.now()
    }

    /// Removes the line before other output.
    func clear() { line.clear() }
}
