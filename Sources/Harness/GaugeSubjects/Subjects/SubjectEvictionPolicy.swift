/// The rule by which a cache chooses what it evicts.
public enum SubjectEvictionPolicy: String, CaseIterable, Hashable, Sendable {
    /// Least recently used first.
    case lru
    /// Greedy Dual Size with Frequency (Cherkasova 1998): large entries with few hits first, by a value that ages.
    case gdsf
}
