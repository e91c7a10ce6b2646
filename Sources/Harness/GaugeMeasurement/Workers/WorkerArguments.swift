import GaugeSupport

/// The command line with which a run starts its worker.
package enum WorkerArguments {
    /// The arguments that measure one benchmark.
    ///
    /// - Parameters:
    ///   - benchmark: its name, which may belong to another build.
    ///   - fillSeconds: see `RunContext.fillSeconds`. An older build does not know the option.
    package static func make(
        benchmark: String, settings: RunSettings, directory: String, fillSeconds: Double? = nil
    ) -> [String] {
        [
            "worker", "--benchmark=\(benchmark)", "--directory=\(directory)", "--seed=\(settings.seed)",
            "--memory=\(settings.memory.bytes)", "--disk=\(settings.disk.bytes)",
        ] + (settings.load?.arguments ?? [])
            + (fillSeconds.map { ["--fill-seconds=\(Quantity.plain($0))"] } ?? [])
            + (settings.extraWork > 0 ? ["--extra-work=\(Quantity.plain(settings.extraWork))"] : [])
    }
}
