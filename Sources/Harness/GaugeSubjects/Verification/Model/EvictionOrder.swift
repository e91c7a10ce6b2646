/// Whether the entries of a memory tier are evicted in one order. Each shard evicts in an order for itself, and a cache
/// that evicts by samples has no order: there, later uses of other entries do not tell whether an entry is held.
enum EvictionOrder {
    /// Stores twice as much as fits, and looks whether the entries that are left are those stored last.
    static func isOne(_ trial: Trial) throws -> Bool {
        try trial.silently(true) {
            let (count, memory) = (60, 150_000)
            try trial.begin(memory: memory)
            defer { trial.clean() }
            try trial.storeMany(0..<count, bytes: 2 * memory / count)
            let left = try (0..<count).filter { try trial.found(Trial.many($0)) != nil }
            // With nothing left, as where the largest body is a part of a shard, nothing is known.
            return !left.isEmpty && left == Array(count - left.count..<count)
        }
    }
}
