import CacheTiers

/// The two tiers of a cache as far as they could be opened.
struct OpenedTiers {
    let tiers: TwoTierCache
    /// Why there is no disk tier although one was asked for.
    let diskProblem: (any Error)?

    /// - Parameters:
    ///   - memoryCapacity: bytes; a negative value counts as 0.
    ///   - diskCapacity: bytes; 0 or less opens no disk tier, and makes no directory.
    init(memoryCapacity: Int, diskCapacity: Int, directory: @autoclosure () -> String) {
        var disk: DiskTier?
        var problem: (any Error)?
        if diskCapacity > 0 {
            do throws(DiskTierError) {
                disk = try DiskTier(directory: directory(), capacity: diskCapacity)
            } catch {
                problem = error
            }
        }
        // What is on disk was hashed by the disk tier's seed, so that one holds for both.
        let seed = disk.map { KeySeed($0.hashSeed.first, $0.hashSeed.second) } ?? .random()
        tiers = TwoTierCache(
            memory: MemoryTier(clamping: memoryCapacity), disk: disk, hasher: KeyHasher(seed: seed))
        diskProblem = problem
    }
}
