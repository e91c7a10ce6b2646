@testable import GaugeMeasurement
@testable import GaugeSupport

/// A document with a row of each kind, for tests of the report formats.
enum SampleDocument {
    static func make(_ rows: [ResultRow]? = nil) -> RunDocument {
        RunDocument(
            environment: RunEnvironment(settings: RunSettings(), directory: "/tmp"), rows: rows ?? all,
            noise: NoiseReport(stolen: 0.01, pairs: [0.02]))
    }

    static var all: [ResultRow] { [batched, timed, mixed, failed] }

    /// Twelve sets of 100 to 111 ns.
    static var batched: ResultRow {
        var row = ResultRow(name: BenchmarkName("key-hash", "40", "tiered"), isPeer: false)
        row.sets = (0..<12).map {
            SetTimes(operations: 1_000, mean: 101 + Double($0), cpu: 90 + Double($0), slices: [100 + Double($0)])
        }
        (row.operations, row.minimum, row.median, row.mean) = (12_000, 99.5, 105.25, 105.5)
        row.interval = 103...108
        row.undisturbed = Estimate(102, in: 101...103)
        (row.operationsPerSecond, row.ratio) = (9_500_000, 1)
        row.counters = Counters()
        row.counters?.allocations = 24_000
        row.instructions = InstructionCount(
            perOperation: 321.5, operations: 1_000, functions: [.init(name: "hash|\"<&>", perOperation: 300)])
        return row
    }

    static var timed: ResultRow {
        var histogram = Histogram()
        for value in 1...2_000 { histogram.add(nanoseconds: UInt64(value) * 10) }
        var row = ResultRow(name: BenchmarkName("disk", "hit/4k", "files"), isPeer: true)
        row.sets = [SetTimes(operations: 2_000, cpu: 9_000, slices: [10_000])]
        (row.operations, row.median, row.minimum, row.maximum) = (2_000, 10_000, 10, 20_000)
        row.percentiles = Percentile.reported.compactMap { Percentile($0, of: histogram) }
        row.quantiles = ResultRow.curve.compactMap { histogram.quantile($0) }
        row.ratio = 3.5
        return row
    }

    /// A row that combines several outcomes has only a throughput.
    static var mixed: ResultRow {
        var row = ResultRow(name: BenchmarkName("two-tier", "zipf", "tiered"), isPeer: false)
        (row.operations, row.operationsPerSecond) = (500, 50_000)
        row.figures = [Figure("hit ratio", 0.5, .ratio)]
        return row
    }

    static var failed: ResultRow {
        var row = ResultRow(name: BenchmarkName("disk", "store, \"4k\"|", "peer"), isPeer: true)
        row.failure = .failed(reason: "no library,\r\nsay \"install\" | <it>")
        return row
    }
}
