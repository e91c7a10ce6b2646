import GaugeStatistics

/// How far sets of processes usually differ in a run, for each kind of figure (see `SetVariation`).
package struct RunVariation: Sendable {
    private var times: [SetFigure: SetVariation] = [:]
    private var ratios: [SetFigure: SetVariation] = [:]

    /// - Parameters:
    ///   - measurements: the results of each case.
    ///   - speed: which probes of the run were at full speed.
    package init(_ measurements: [[BenchmarkMeasurements]], speed: FullSpeed?) {
        let cases = measurements.map { ResultRow.pairs(of: $0, ResultRow.rows(ofEach: $0, speed: speed)) }
        for figure in SetFigure.allCases {
            let rows = cases.joined()
            times[figure] = SetVariation(rows.compactMap { figure.values($0.row).variation })
            ratios[figure] = SetVariation(
                rows.compactMap { row, reference in
                    guard let reference, reference.name != row.name else { return nil }
                    return figure.ratios(row, to: reference).variation
                })
        }
    }

    func ofTimes(_ figure: SetFigure) -> SetVariation? { times[figure] }
    func ofRatios(_ figure: SetFigure) -> SetVariation? { ratios[figure] }
}
