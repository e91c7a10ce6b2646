import CacheTiers

extension FuzzTarget {
    /// The input is a list of operations on a memory tier; see ``MemoryTierScript``.
    ///
    /// Oracle: an array of entries in order of use (``MemoryTierModel``) gives the same hits, refusals, evictions and
    /// usage after every operation, and the same order, for each policy. No promotion undoes a change. Usage never
    /// exceeds capacity. The tier has one to four stripes, depending on the input's length.
    static let memoryTier = FuzzTarget(
        "memory_tier", mutation: .records(width: MemoryTierOperation.width),
        describe: { bytes in numbered(MemoryTierOperation.all(in: bytes).map { "\($0)" }) },
        run: { bytes in
            do {
                let stripes = 1 + bytes.count / MemoryTierOperation.width % 4
                for policy in EvictionPolicy.allCases {
                    var script = try MemoryTierScript(policy: policy, stripes: stripes)
                    if let difference = script.run(bytes) { fuzzFailure("\(policy): \(difference)") }
                }
            } catch {
                fuzzFailure("\(error)")
            }
        })
}
