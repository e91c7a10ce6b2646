import DiskSimulation

extension FuzzTarget {
    /// The input is a list of operations on a disk log in memory: stores, lookups, removals, other capacities, closing
    /// and opening; see `DiskOperation`.
    ///
    /// Oracle: the model of `DiskTrial`; without faults closing and opening changes neither entries nor usage.
    static let diskTier = FuzzTarget(
        "disk_tier", mutation: .operationsOnADisk, describe: { DiskDump.program($0, .operations) }
    ) { bytes in
        if let broken = DiskTrial.run(bytes, .operations) { fuzzFailure(broken) }
    }

    /// The input is a list of operations and of faults among them: errors, short writes, a full disk, kills that leave
    /// a prefix of the bytes, and power cuts that leave any part of what was not flushed.
    ///
    /// Oracle: the model of `DiskTrial`, with its rules about what may be found afterwards.
    static let diskCrash = FuzzTarget(
        "disk_crash", mutation: .operationsOnADisk, describe: { DiskDump.program($0, .faults) }
    ) { bytes in
        if let broken = DiskTrial.run(bytes, .faults) { fuzzFailure(broken) }
    }
}

extension InputMutation {
    /// A byte for the capacity and operations behind it. What broke a promise took at most 28 operations when it was made
    /// small, and of short programs many more are run in the same time.
    fileprivate static let operationsOnADisk = records(width: DiskTrial.operationBytes, head: 1, most: 32)
}
