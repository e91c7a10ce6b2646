/// What a subject can do. Benchmarks that need a missing capability aren't run, and read `n/a`.
public struct SubjectCapabilities: OptionSet, Hashable, Sendable {
    /// The set as bits.
    public let rawValue: Int

    /// A set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Answers from memory.
    public static let memory = SubjectCapabilities(rawValue: 1 << 0)
    /// Answers from disk.
    public static let disk = SubjectCapabilities(rawValue: 1 << 1)
    /// Stays within a capacity by evicting. A subject without it grows, and isn't filled beyond its capacity.
    public static let capacity = SubjectCapabilities(rawValue: 1 << 2)
    /// Can count entries instead of bytes (``SubjectConfiguration/entryLimit``). A cache that counts only entries has
    /// this without ``capacity``: it always gets a limit of entries, and promises about capacities are tried in
    /// entries.
    public static let entryLimit = SubjectCapabilities(rawValue: 1 << 3)
    /// Keeps its entries when it is closed and opened again.
    public static let persistence = SubjectCapabilities(rawValue: 1 << 4)
    /// Has ``CacheSubject/counters``.
    public static let counters = SubjectCapabilities(rawValue: 1 << 5)
    /// Can make each store survive a power cut before it returns (``SubjectConfiguration/isDurable``).
    public static let durability = SubjectCapabilities(rawValue: 1 << 6)
    /// Tells requests apart by more than the URL (``DescribedSubject/key(for:)-(SubjectRequest)``).
    public static let requests = SubjectCapabilities(rawValue: 1 << 7)
    /// Keeps the application's metadata beside an entry (``CacheSubject/store(_:for:userInfo:)``).
    public static let userInfo = SubjectCapabilities(rawValue: 1 << 8)
    /// Can change its capacities while it is open (``CacheSubject/resize(memory:disk:)``).
    public static let resize = SubjectCapabilities(rawValue: 1 << 9)
    /// Can be used from several threads at once.
    public static let threads = SubjectCapabilities(rawValue: 1 << 10)

    /// Can remove the entries stored after a moment (``CacheSubject/removeAll(since:)``).
    public static let removalSince = SubjectCapabilities(rawValue: 1 << 11)
    /// Accepts a storage policy with each response (``CacheSubject/store(_:for:policy:)``).
    public static let storagePolicy = SubjectCapabilities(rawValue: 1 << 12)
    /// Can be made with one hash for all keys (``SubjectConfiguration/collides``).
    public static let collisions = SubjectCapabilities(rawValue: 1 << 13)
    /// Can be made with a key hook (``SubjectConfiguration/keyField``).
    public static let keyHook = SubjectCapabilities(rawValue: 1 << 14)
    /// Can be the process's shared cache (``SubjectConfiguration/isShared``).
    public static let shared = SubjectCapabilities(rawValue: 1 << 15)
    /// Can be made with an eviction policy other than LRU (``SubjectConfiguration/policy``).
    public static let evictionPolicy = SubjectCapabilities(rawValue: 1 << 16)

    /// Can be made with a lifetime of its entries (``SubjectConfiguration/lifetime``).
    public static let expiry = SubjectCapabilities(rawValue: 1 << 17)

    /// Can remove every entry (``CacheSubject/removeAll()``).
    public static let removalOfAll = SubjectCapabilities(rawValue: 1 << 18)

    /// Whether it counts entries and nothing else.
    @usableFromInline package var countsEntries: Bool { contains(.entryLimit) && !contains(.capacity) }

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

/// What a cache's limits mean. Caches differ here, so `verify` tries only what is declared.
public struct SubjectLimits: Hashable, Sendable {
    /// What a capacity of 0 means.
    public enum Zero: Sendable {
        /// Nothing is stored.
        case nothing
        /// There is no limit.
        case unlimited
    }

    /// What a capacity of 0 means; not tried if `nil`.
    public var zero: Zero?
    /// Whether a negative capacity can be passed, and is then an error or means no cache; false if the capacity's type
    /// has no negative values.
    public var refusesNegative: Bool
    /// The part of a tier's capacity above which a body isn't stored in it, e.g. 0.05 for URL caches: above 0, and at
    /// most 1. Not tried if `nil`.
    public var largestPart: Double?
    /// The length of a body, bytes, above which it isn't stored whatever the capacity is; `nil` if there is no such
    /// length.
    public var largestBody: Int?

    /// Declares what is passed, and nothing else.
    public init(zero: Zero? = nil, refusesNegative: Bool = false, largestPart: Double? = nil, largestBody: Int? = nil) {
        (self.zero, self.refusesNegative, self.largestPart) = (zero, refusesNegative, largestPart)
        self.largestBody = largestBody
    }

    /// The limits of `URLCache`: 0 and negative capacities mean no cache, and no body takes more than 5 % of a tier.
    public static let urlCache = SubjectLimits(zero: .nothing, refusesNegative: true, largestPart: 0.05)

    /// A declaration that promises depend on.
    package enum Declaration: String, Sendable, CaseIterable {
        case zero = "limits.zero"
        case negative = "limits.refusesNegative"
        case largest = "limits.largestPart"
    }

    /// What is wrong with the declaration; `nil` if nothing is.
    package var mistake: String? {
        if let largestBody, largestBody < 1 {
            return "limits.largestBody of \(largestBody) admits nothing; pass a number of bytes, or nil for no limit"
        }
        guard let largestPart, !(largestPart > 0 && largestPart <= 1) else { return nil }
        return "limits.largestPart of \(largestPart) is no part of a capacity; pass 0.05 for 5 %, or nil for no limit"
    }

    package func declares(_ declaration: Declaration) -> Bool {
        switch declaration {
        case .zero: zero != nil
        case .negative: refusesNegative
        case .largest: largestPart != nil || largestBody != nil
        }
    }
}
