import GaugeTraces
import Platform

/// Anything that stores bodies under URLs and looks them up: the cache of this package, Foundation's, a directory of
/// files, a database. Adding one is one type in one file.
///
/// A subject is used from one thread. Unless it is the subject under test, it runs in its own process, so a crash
/// doesn't end the run. It may throw; errors are counted. Its answers are checked.
///
/// ```swift
/// final class Mine: CacheSubject {
///     static let name = "mine"
///     static let capabilities: SubjectCapabilities = [.memory]
///     private var entries: [String: [UInt8]] = [:]
///
///     init(_ configuration: SubjectConfiguration) {}
///     func key(for url: String) -> String { url }
///     func lookUp(_ key: String, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome {
///         guard let body = entries[key] else { return .miss }
///         body.withUnsafeBytes(read)
///         return .memoryHit
///     }
///     func store(_ body: UnsafeRawBufferPointer, for key: String) -> Outcome {
///         entries[key] = Array(body)
///         return .store
///     }
///     func remove(_ key: String) { entries[key] = nil }
/// }
/// ```
public protocol CacheSubject: DescribedSubject {
    /// Whether the subject evicts the least recently used entry first.
    @available(*, deprecated, message: "use order")
    static var isLRU: Bool { get }

    /// Whether an entry used again and again outlives entries used once.
    @available(*, deprecated, message: "use order")
    static var keepsUsed: Bool { get }

    /// Makes the subject, as an application would at startup. Untimed.
    init(_ configuration: SubjectConfiguration) throws

    /// Looks a key up, and lends the body to `read`.
    ///
    /// The body must be ready for use: bytes that may change or vanish are copied first, and bytes on disk have been
    /// read. The time of `read` doesn't count.
    ///
    /// - Parameters:
    ///   - key: one that this subject has made.
    ///   - read: called once on a hit, not at all on a miss; the bytes needn't outlive the call.
    /// - Returns: `.memoryHit`, `.diskHit`, `.promotion` or `.miss`; for a cache that doesn't report which tier
    ///   answered, ``SubjectConfiguration/hitOfUnknownTier``.
    func lookUp(_ key: Key, _ read: (UnsafeRawBufferPointer) -> Void) throws -> Outcome

    /// Looks a key up twice, as two callers would, changes every byte of the first body, and returns the second one.
    /// Implement it if callers get a body that they may change, such as a `Data`; by default it changes a copy.
    /// Untimed.
    ///
    /// - Returns: the other caller's body; `nil` on a miss.
    func changeBody(for key: Key) throws -> [UInt8]?

    /// Stores a copy of a body in place of the key's entry.
    ///
    /// - Returns: `.storeEvict` if the store evicted something and the subject knows so, else `.store`. A body that
    ///   isn't admitted, e.g. one larger than the cache, counts as a store too; the next lookup shows the difference.
    func store(_ body: UnsafeRawBufferPointer, for key: Key) throws -> Outcome

    /// Removes the entry of the key.
    func remove(_ key: Key) throws

    /// Stores a copy of a body with the application's metadata. Untimed. Called only on subjects with
    /// ``SubjectCapabilities/userInfo``.
    func store(_ body: UnsafeRawBufferPointer, for key: Key, userInfo: [String: PropertyValue]) throws

    /// An entry's metadata; `nil` if there is no entry or no metadata. Untimed. Called only on subjects with
    /// ``SubjectCapabilities/userInfo``.
    func userInfo(for key: Key) throws -> [String: PropertyValue]?

    /// Stores a copy of a body in the tiers that a policy allows. Untimed. Called only on subjects with
    /// ``SubjectCapabilities/storagePolicy``.
    func store(_ body: UnsafeRawBufferPointer, for key: Key, policy: SubjectStoragePolicy) throws

    /// Removes the entries stored after a moment, seconds since 1970. Untimed. Called only on subjects with
    /// ``SubjectCapabilities/removalSince``.
    func removeAll(since moment: Double) throws

    /// Removes every entry; the subject is then like new. Untimed. Called only on subjects with
    /// ``SubjectCapabilities/removalOfAll``.
    func removeAll() throws

    /// Changes the capacities, bytes; memory's is a number of entries if the subject was made with a limit of entries.
    /// The subject holds no more than that on return. Untimed. Called only on subjects with
    /// ``SubjectCapabilities/resize``.
    func resize(memory: Int, disk: Int) throws

    /// The subject as a replay uses it. Don't implement it: it is a requirement only so that it is compiled where the
    /// subject's type is known.
    static func replayed(
        _ configuration: SubjectConfiguration, answers: Answers, urls: RequestURLs, longest: Int
    ) throws -> ReplayedSubject

    /// The type that is checked against the promises in place of this one, where it can be: the same cache, driven by
    /// whole requests. The type itself by default.
    static var verified: any CacheSubject.Type { get }

    /// The space that the subject occupies. Untimed.
    var usage: SubjectUsage { get }

    /// Counts that the subject keeps, by name: `evictions`. Untimed. Empty by default.
    var counters: [String: Int] { get }

    /// Stores many entries before measuring. Untimed. Stores one after the other by default; implement it if that would
    /// take minutes.
    func fill(with entries: FillEntries) throws

    /// Writes everything to the operating system or the device, as far as the subject can, so that what follows finds a
    /// cache that has been open for a long time. Untimed. Does nothing by default.
    func settle() throws
}

// Default implementations.
extension CacheSubject {
    /// Least recently used first.
    @available(*, deprecated, message: "use order")
    public static var isLRU: Bool { true }

    /// Whether it evicts the least recently used entry first.
    @available(*, deprecated, message: "use order")
    public static var keepsUsed: Bool { isLRU }

    /// No counters.
    public var counters: [String: Int] { [:] }

    /// No usage known.
    public var usage: SubjectUsage { SubjectUsage() }

    /// A caller that is lent bytes can only change its own copies.
    public func changeBody(for key: Key) throws -> [UInt8]? {
        var other: [UInt8]?
        _ = try lookUp(key) { other = Array($0) }
        var mine = other
        for index in mine?.indices ?? 0..<0 { mine?[index] ^= 0xFF }
        return other
    }

    /// Stores one entry after the other.
    public func fill(with entries: FillEntries) throws {
        var stored = 0
        let start = monotonicNanoseconds()
        try entries.forEach { url, body in
            _ = try store(body, for: key(for: url))
            stored += 1
            guard stored < entries.count, Double(monotonicNanoseconds() - start) > entries.seconds * 1e9 else { return }
            throw TooSlow("\(stored) of \(entries.count) entries were stored in \(Int(entries.seconds.rounded(.up))) s")
        }
    }

    /// Nothing to do.
    public func settle() {}

    /// The type itself.
    public static var verified: any CacheSubject.Type { self }

    /// Throws: not supported.
    public func store(_ body: UnsafeRawBufferPointer, for key: Key, userInfo: [String: PropertyValue]) throws {
        throw GaugeError("\(Self.name) keeps nothing beside an entry")
    }

    /// Throws: not supported.
    public func userInfo(for key: Key) throws -> [String: PropertyValue]? {
        throw GaugeError("\(Self.name) keeps nothing beside an entry")
    }

    /// Throws: not supported.
    public func store(_ body: UnsafeRawBufferPointer, for key: Key, policy: SubjectStoragePolicy) throws {
        throw GaugeError("\(Self.name) knows no storage policies")
    }

    /// Throws: not supported.
    public func removeAll(since moment: Double) throws { throw GaugeError("\(Self.name) does not remove since a date") }

    /// Throws: not supported.
    public func removeAll() throws { throw GaugeError("\(Self.name) cannot be emptied") }

    /// Throws: not supported.
    public func resize(memory: Int, disk: Int) throws { throw GaugeError("\(Self.name) cannot change its capacities") }
}

/// The order in which a cache evicts, at least within parts such as shards.
public enum SubjectOrder: String, Sendable, CaseIterable {
    /// The least recently used entry first.
    case lru
    /// First in, first out: a use changes nothing.
    case fifo
    /// An entry used again and again outlives entries used once, in whatever order: segmented LRU, CLOCK, LFU and
    /// others that count uses.
    case usedKept
    /// None is promised, e.g. random.
    case unspecified

    var keepsUsed: Bool { self == .lru || self == .usedKept }
}

/// Reads the two deprecated flags without a compiler warning.
private protocol OrderOfFlags { static var order: SubjectOrder { get } }

private enum Flags<Subject: CacheSubject>: OrderOfFlags {
    @available(*, deprecated)
    static var order: SubjectOrder { Subject.isLRU ? .lru : Subject.keepsUsed ? .usedKept : .unspecified }
}

extension CacheSubject {
    /// Least recently used first, unless a deprecated flag says otherwise.
    public static var order: SubjectOrder {
        func read<Order: OrderOfFlags>(_ type: Order.Type) -> SubjectOrder { type.order }
        return read(Flags<Self>.self)
    }
}
