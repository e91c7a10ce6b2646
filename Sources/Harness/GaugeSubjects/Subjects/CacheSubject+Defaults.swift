import GaugeMeasurement
import GaugeSupport
import Platform

// Default implementations.
extension CacheSubject {
    /// Nothing is declared.
    public static var limits: SubjectLimits { SubjectLimits() }

    /// Least recently used first.
    @available(*, deprecated, message: "use order")
    public static var isLRU: Bool { true }

    /// Whether it evicts the least recently used entry first.
    @available(*, deprecated, message: "use order")
    public static var keepsUsed: Bool { isLRU }

    /// Nothing to say.
    public static var details: String { "" }
    /// The name.
    public static var title: String { name }

    /// No counters.
    public var counters: [String: Int] { [:] }

    /// No usage known.
    public var usage: SubjectUsage { SubjectUsage() }

    /// A caller that is lent bytes has nothing but copies of them to change.
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

    /// The key of the URL, if the request is a plain GET; throws otherwise.
    public func key(for request: SubjectRequest) throws -> Key {
        guard request.isPlain else { throw GaugeError("\(Self.name) knows nothing of requests but their URL") }
        return try key(for: request.url)
    }

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
    public func removeAll(since moment: Double) throws {
        throw GaugeError("\(Self.name) does not remove since a date")
    }

    /// Throws: not supported.
    public func removeAll() throws {
        throw GaugeError("\(Self.name) cannot be emptied")
    }

    /// Throws: not supported.
    public func resize(memory: Int, disk: Int) throws {
        throw GaugeError("\(Self.name) cannot change its capacities")
    }
}
