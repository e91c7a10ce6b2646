import GaugeMeasurement
import GaugeSupport

extension TimeGate {
    /// Finds out whether the current build is at fault for the failure of a set.
    ///
    /// Where both builds fail, either may be the first, so the one that did not fail runs alone if that matters.
    ///
    /// - Parameters:
    ///   - error: the failure.
    ///   - failed: the variant that failed.
    ///   - worker: its process.
    /// - Returns: a `BuildFailure` of the current build; otherwise `error`.
    func cause(
        of error: GaugeError, benchmark: String, _ failed: TimeVariant, _ worker: VariantWorker
    ) throws -> any Error {
        if failed == .current {
            // Where the base times out as well, the machine may be too slow for the benchmark.
            if worker.failure == .timedOut, try failure(of: .base, benchmark)?.worker.failure == .timedOut {
                return error
            }
            return Self.buildFailure(error, worker) ?? error
        }
        guard let own = try failure(of: .current, benchmark) else { return error }
        if worker.failure == .timedOut, own.worker.failure == .timedOut { return error }
        return Self.buildFailure(own.error, own.worker) ?? error
    }

    private static func buildFailure(_ error: GaugeError, _ worker: VariantWorker) -> BuildFailure? {
        worker.failure.flatMap { BuildFailure(error.description, cause: $0, wrong: worker.wrong) }
    }

    /// Runs one variant alone.
    ///
    /// - Returns: its failure; `nil` when it has none.
    private func failure(
        of variant: TimeVariant, _ benchmark: String
    ) throws -> (error: GaugeError, worker: VariantWorker)? {
        let place = try TemporaryDirectory(in: directory.path)
        defer { place.remove() }
        let worker = try worker(of: variant, benchmark: benchmark, in: place, processor: nil)
        defer { worker.end() }
        do {
            try worker.beginPreparing()
            try worker.finishPreparing()
            try worker.calibrate(milliseconds: Self.slice * 5)
            for _ in 0..<Self.slices { _ = try worker.slice(milliseconds: Self.slice) }
            return nil
        } catch let error as GaugeError where worker.failure != nil {
            return (error, worker)
        }
    }
}
