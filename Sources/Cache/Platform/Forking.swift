import CSupport

/// A number that differs between a process and its forked children; costs a load.
@inlinable
public func currentForkGeneration() -> UInt32 { cs_fork_generation() }
