/// A text log whose lines have the layout of a ``LogPattern``: one that the user described, or a preset. Of several patterns
/// the first that fits a line counts.
package struct PatternLog: LineDecoder {
    package let input: TraceInput
    package var line = 0
    package var envelope: LogEnvelope
    private let patterns: [LogPattern]

    package init(_ input: TraceInput, _ patterns: [LogPattern], envelope: LogEnvelope = .none) {
        (self.input, self.patterns, self.envelope) = (input, patterns, envelope)
    }

    package var isLog: Bool { true }

    package func request(_ line: ArraySlice<UInt8>) throws(LineFault) -> TraceRequest {
        var first: LineFault?
        for pattern in patterns {
            do throws(LineFault) { return try pattern.request(line) } catch { first = first ?? error }
        }
        throw first ?? LineFault("no layout; describe the lines with --log-format")
    }

    /// The presets of the one that fits a line; empty if none does.
    static func presets(fitting line: ArraySlice<UInt8>) -> [LogPattern] {
        LogPattern.presets.first { (try? $0.request(line)) != nil }.map { LogPattern.presets(named: $0.name) } ?? []
    }
}
