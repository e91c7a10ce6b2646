/// The capabilities of a subject. Benchmarks that need a missing one are not run, and read `n/a`.
public struct SubjectCapabilities: OptionSet, Hashable, Sendable {
    /// The set as bits.
    public let rawValue: Int

    /// A set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Answers from memory.
    public static let memory = SubjectCapabilities(rawValue: 1 << 0)
    /// Answers from disk.
    public static let disk = SubjectCapabilities(rawValue: 1 << 1)
    /// Stays within a capacity by evicting. A subject without it grows, and is not filled beyond its capacity.
    public static let capacity = SubjectCapabilities(rawValue: 1 << 2)
    /// Can count entries instead of bytes (``SubjectConfiguration/entryLimit``). A cache that counts nothing but entries has
    /// this without ``capacity``: it always gets a limit of entries, and what is promised of capacities is tried in entries.
    public static let entryLimit = SubjectCapabilities(rawValue: 1 << 3)
    /// Keeps its entries when it is closed and opened again.
    public static let persistence = SubjectCapabilities(rawValue: 1 << 4)
    /// Has ``CacheSubject/counters``.
    public static let counters = SubjectCapabilities(rawValue: 1 << 5)
    /// Can make each store survive a power cut before it returns (``SubjectConfiguration/isDurable``).
    public static let durability = SubjectCapabilities(rawValue: 1 << 6)
    /// Tells requests apart by more than the URL (``CacheSubject/key(for:)-(SubjectRequest)``).
    public static let requests = SubjectCapabilities(rawValue: 1 << 7)
    /// Keeps metadata of the application beside an entry (``CacheSubject/store(_:for:userInfo:)``).
    public static let userInfo = SubjectCapabilities(rawValue: 1 << 8)
    /// Can change its capacities while it is open (``CacheSubject/resize(memory:disk:)``).
    public static let resize = SubjectCapabilities(rawValue: 1 << 9)
    /// Can be used from several threads at once.
    public static let threads = SubjectCapabilities(rawValue: 1 << 10)

    /// Can remove the entries stored after a moment (``CacheSubject/removeAll(since:)``).
    public static let removalSince = SubjectCapabilities(rawValue: 1 << 11)
    /// Accepts a storage policy with each response (``CacheSubject/store(_:for:policy:)``).
    public static let storagePolicy = SubjectCapabilities(rawValue: 1 << 12)
    /// Can be made with a hash that is the same for every key (``SubjectConfiguration/collides``).
    public static let collisions = SubjectCapabilities(rawValue: 1 << 13)
    /// Can be made with a key hook (``SubjectConfiguration/keyField``).
    public static let keyHook = SubjectCapabilities(rawValue: 1 << 14)
    /// Can be the shared cache of the process (``SubjectConfiguration/isShared``).
    public static let shared = SubjectCapabilities(rawValue: 1 << 15)
    /// Can be made with another eviction policy than LRU (``SubjectConfiguration/policy``).
    public static let evictionPolicy = SubjectCapabilities(rawValue: 1 << 16)

    /// Can be made with a lifetime of its entries (``SubjectConfiguration/lifetime``).
    public static let expiry = SubjectCapabilities(rawValue: 1 << 17)

    /// Can remove every entry (``CacheSubject/removeAll()``).
    public static let removalOfAll = SubjectCapabilities(rawValue: 1 << 18)

    /// Whether entries are the only thing that it counts.
    @usableFromInline package var countsEntries: Bool { contains(.entryLimit) && !contains(.capacity) }

    /// The display name of each capability.
    package static let named: [(set: SubjectCapabilities, name: String)] = [
        (.memory, "memory"), (.disk, "disk"), (.capacity, "a capacity"), (.entryLimit, "a limit of entries"),
        (.persistence, "persistence"), (.counters, "counters"), (.durability, "durability"),
        (.requests, "whole requests"), (.userInfo, "userInfo"),
        (.resize, "capacities that change"), (.threads, "safety of threads"),
        (.removalSince, "removal since a date"), (.storagePolicy, "storage policies"),
        (.collisions, "a hash on which all keys collide"), (.keyHook, "a key hook"), (.shared, "a shared cache"),
        (.evictionPolicy, "a choice of eviction policies"), (.expiry, "a lifetime of entries"),
        (.removalOfAll, "removal of everything"),
    ]
}

/// What the limits of a cache mean. Caches differ in them, so `verify` tries what is declared here and nothing else.
public struct SubjectLimits: Hashable, Sendable {
    /// What a capacity of 0 means.
    public enum Zero: Sendable {
        /// Nothing is stored.
        case nothing
        /// There is no limit.
        case unlimited
    }

    /// What a capacity of 0 means; `nil` is not tried.
    public var zero: Zero?
    /// Whether a negative capacity can be asked for, and is then an error or means no cache; false where the type of a
    /// capacity has no negative values.
    public var refusesNegative: Bool
    /// The part of a tier's capacity above which a body is not stored in it, such as 0.05 for URL caches; `nil` is not
    /// tried.
    public var largestPart: Double?

    /// Nothing declared, unless it is named.
    public init(zero: Zero? = nil, refusesNegative: Bool = false, largestPart: Double? = nil) {
        self.zero = zero
        self.refusesNegative = refusesNegative
        self.largestPart = largestPart
    }

    /// The limits of `URLCache`: 0 and negative capacities mean no cache, and no body takes more than 5 % of a tier.
    public static let urlCache = SubjectLimits(zero: .nothing, refusesNegative: true, largestPart: 0.05)

    /// One of the declarations, by which a promise is made.
    package enum Declaration: String, Sendable, CaseIterable {
        case zero = "limits.zero"
        case negative = "limits.refusesNegative"
        case largest = "limits.largestPart"
    }

    package func declares(_ declaration: Declaration) -> Bool {
        switch declaration {
        case .zero: zero != nil
        case .negative: refusesNegative
        case .largest: largestPart != nil
        }
    }
}
