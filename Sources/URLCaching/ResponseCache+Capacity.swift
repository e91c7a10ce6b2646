import CacheTiers

extension ResponseCache {
    /// The most that the memory tier holds, bytes. Lowering it evicts before the setter returns; a negative value
    /// counts as 0, which disables the tier.
    public var memoryCapacity: Int {
        get { store.tiers.memory.capacity }
        set { try? store.tiers.memory.setCapacity(max(newValue, 0)) }
    }

    /// The most that the disk tier occupies, bytes, everything counted in. Lowering it truncates before the setter
    /// returns; a negative value counts as 0, which disables the tier. 0 for a cache that was opened without one.
    public var diskCapacity: Int {
        get { store.tiers.disk?.capacity ?? 0 }
        set { try? store.tiers.disk?.setCapacity(max(newValue, 0)) }
    }

    /// Bytes in use in memory by the rule of `StoredEntry.cost`. O(1).
    public var currentMemoryUsage: Int { store.tiers.memory.usage }

    /// Bytes of the records on disk, headers included. O(1).
    public var currentDiskUsage: Int { store.tiers.disk?.currentUsage ?? 0 }
}
