import DiskSimulation

extension FuzzTarget {
    /// The input is a list of operations on a disk log in memory: stores, lookups, removals, changes of capacity,
    /// closing and opening; see `DiskOperation`.
    ///
    /// Oracle: the model of `DiskTrial`. Without faults, closing and opening changes neither entries nor usage.
    static let diskTier = FuzzTarget(
        "disk_tier", mutation: .operationsOnADisk, describe: { DiskDump.program($0, .operations) }
    ) { bytes in
        if let broken = DiskTrial.run(bytes, .operations) { fuzzFailure(broken) }
    }

    /// The input is a list of operations with faults among them: errors, short writes, a full disk, kills that leave a
    /// prefix of the bytes, and power cuts that leave any part of the unflushed bytes.
    ///
    /// Oracle: the model of `DiskTrial`, with its rules for the entries that may be found afterwards.
    static let diskCrash = FuzzTarget(
        "disk_crash", mutation: .operationsOnADisk, describe: { DiskDump.program($0, .faults) }
    ) { bytes in
        if let broken = DiskTrial.run(bytes, .faults) { fuzzFailure(broken) }
    }
}

extension InputMutation {
    /// A byte for the capacity and then operations. Every broken promise so far needed at most 28 operations after
    /// minimising, and many more short programs run in the same time.
    fileprivate static let operationsOnADisk = records(width: DiskTrial.operationBytes, head: 1, most: 32)
}
