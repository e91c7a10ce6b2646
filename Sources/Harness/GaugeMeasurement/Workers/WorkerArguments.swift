import GaugeSupport

/// The command line with which a run starts its worker.
package enum WorkerArguments {
    /// The arguments that measure one benchmark.
    ///
    /// - Parameter benchmark: its name, which may belong to another build.
    package static func make(benchmark: String, settings: RunSettings, directory: String) -> [String] {
        [
            "worker", "--benchmark=\(benchmark)", "--directory=\(directory)", "--seed=\(settings.seed)",
            "--memory=\(settings.memory.bytes)", "--disk=\(settings.disk.bytes)",
        ] + (settings.load?.arguments ?? [])
            + (settings.extraWork > 0 ? ["--extra-work=\(Quantity.plain(settings.extraWork))"] : [])
    }
}
