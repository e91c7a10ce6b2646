/// What a run is asked for, beside which benchmarks.
struct RunSettings: Sendable {
    static let defaultSeed: UInt64 = 1
    /// The memory capacity of Apple's `URLCache`.
    static let defaultMemory = ByteSize(bytes: 4 << 20)
    /// The disk capacity of Apple's `URLCache`.
    static let defaultDisk = ByteSize(bytes: 20 << 20)

    var seed = RunSettings.defaultSeed
    var memory = RunSettings.defaultMemory
    var disk = RunSettings.defaultDisk
    /// Seconds after which a worker that gives no answer counts as hung. Getting ready may take three times as long.
    var patience = 10.0
    /// The workload that the benchmarks are made of; `nil` for those of the executable.
    var load: WorkloadLoad?
    /// The executable that the workers run; this one itself when `nil`.
    var executable: String?
    /// As much more work in every measured call (see `ExtraWork`).
    var extraWork = 0.0
}
