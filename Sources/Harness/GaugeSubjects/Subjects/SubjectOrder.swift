/// The order in which a cache evicts, at least within parts such as shards.
public enum SubjectOrder: String, Sendable, CaseIterable {
    /// The least recently used entry first.
    case lru
    /// First in, first out: a use changes nothing.
    case fifo
    /// An entry that is used again and again outlives entries that are used once, in whatever order: segmented LRU, CLOCK,
    /// LFU and others that count uses.
    case usedKept
    /// None that is promised, such as a random one.
    case unspecified

    /// Whether uses keep an entry.
    var keepsUsed: Bool { self == .lru || self == .usedKept }
}

/// Reads the two flags of before, whose use the compiler would otherwise warn of.
private protocol OrderOfFlags { static var order: SubjectOrder { get } }

private enum Flags<Subject: CacheSubject>: OrderOfFlags {
    @available(*, deprecated)
    static var order: SubjectOrder { Subject.isLRU ? .lru : Subject.keepsUsed ? .usedKept : .unspecified }
}

extension CacheSubject {
    /// Least recently used first, unless one of the flags of before says otherwise.
    public static var order: SubjectOrder {
        func read<Order: OrderOfFlags>(_ type: Order.Type) -> SubjectOrder { type.order }
        return read(Flags<Self>.self)
    }
}
