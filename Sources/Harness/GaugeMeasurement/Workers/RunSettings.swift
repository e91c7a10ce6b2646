import GaugeSupport

/// The settings of a run, apart from its selection of benchmarks.
package struct RunSettings: Sendable {
    package static let defaultSeed: UInt64 = 1
    /// The memory capacity of Apple's `URLCache`.
    package static let defaultMemory = ByteSize(bytes: 4 << 20)
    /// The disk capacity of Apple's `URLCache`.
    package static let defaultDisk = ByteSize(bytes: 20 << 20)

    package var seed = RunSettings.defaultSeed
    package var memory = RunSettings.defaultMemory
    package var disk = RunSettings.defaultDisk
    /// The time-out for each answer of a worker, seconds. Preparation may take three times as long.
    package var timeOut = 10.0
    /// The workload from which the benchmarks are made; `nil` for those of the executable.
    package var load: WorkloadLoad?
    /// The executable that the workers run; this one when `nil`.
    package var executable: String?
    /// The extra work in every measured call, as a part of its normal work (see `ExtraWork`).
    package var extraWork = 0.0

    package init(
        seed: UInt64 = RunSettings.defaultSeed, memory: ByteSize = RunSettings.defaultMemory,
        disk: ByteSize = RunSettings.defaultDisk, timeOut: Double = 10.0, load: WorkloadLoad? = nil,
        executable: String? = nil, extraWork: Double = 0.0
    ) {
        self.seed = seed
        self.memory = memory
        self.disk = disk
        self.timeOut = timeOut
        self.load = load
        self.executable = executable
        self.extraWork = extraWork
    }
}
