/// Whether the entries of a memory tier are evicted in one order. Shards evict alone, each in its own order, and a sample
/// is evicted in none: then nothing follows for an entry from what was used after it.
enum EvictionOrder {
    /// Stores twice as much as fits, and looks whether the entries that are left are those stored last.
    static func isOne(_ trial: Trial) throws -> Bool {
        try trial.silently(true) {
            let (count, memory) = (60, 150_000)
            try trial.begin(memory: memory)
            defer { trial.clean() }
            try trial.storeMany(0..<count, bytes: 2 * memory / count)
            let left = try (0..<count).filter { try trial.found(Trial.many($0)) != nil }
            return left.isEmpty || left == Array(count - left.count..<count)
        }
    }
}
