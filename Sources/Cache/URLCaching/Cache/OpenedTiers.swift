import CacheTiers

/// The two tiers of a cache as far as they could be opened.
struct OpenedTiers {
    let tiers: TwoTierCache
    /// The tiers that could not be opened.
    let problems: CacheProblems

    /// - Parameters:
    ///   - memoryCapacity: bytes; a negative value is a problem, and counts as 0.
    ///   - diskCapacity: bytes; 0 opens no disk tier, and makes no directory; a negative value is a problem.
    ///   - policy: the rule of eviction of both tiers.
    init(
        memoryCapacity: Int, diskCapacity: Int, directory: @autoclosure () -> String, policy: EvictionPolicy
    ) {
        var disk: DiskTier?
        var problem: DiskTierError?
        if diskCapacity != 0 {
            do throws(DiskTierError) {
                disk = try DiskTier(directory: directory(), capacity: diskCapacity, policy: policy)
            } catch {
                problem = error
            }
        }
        // The disk's entries were hashed by the disk tier's seed, so both tiers use that one.
        let seed = disk.map { KeySeed($0.hashSeed.first, $0.hashSeed.second) } ?? .random()
        tiers = TwoTierCache(
            memory: MemoryTier(clamping: memoryCapacity, policy: policy), disk: disk, hasher: KeyHasher(seed: seed))
        problems = CacheProblems(
            memory: memoryCapacity < 0 ? CapacityError(tier: "memory", capacity: memoryCapacity) : nil, disk: problem)
    }
}
