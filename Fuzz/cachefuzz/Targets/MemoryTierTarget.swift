extension FuzzTarget {
    /// The input is a list of operations on a memory tier; see ``MemoryTierScript``.
    ///
    /// Oracle: an array of entries in order of use (``MemoryTierModel``) gives the same hits, refusals, evictions and
    /// usage after every operation, and the same order. No promotion undoes a change. Usage never exceeds capacity.
    static let memoryTier = FuzzTarget(
        "memory_tier", mutation: .records(width: MemoryTierOperation.width),
        describe: { bytes in numbered(MemoryTierOperation.all(in: bytes).map { "\($0)" }) },
        run: { bytes in
            do {
                var script = try MemoryTierScript()
                if let difference = script.run(bytes) { fuzzFailure(difference) }
            } catch {
                fuzzFailure("\(error)")
            }
        })
}
