// What a subject has that does not implement it.
extension CacheSubject {
    /// Nothing to say.
    public static var details: String { "" }

    /// No counters.
    public var counters: [String: Int] { [:] }

    /// Nothing said.
    public var usage: SubjectUsage { SubjectUsage() }

    /// Stores one entry after the other.
    public func fill(with entries: FillEntries) throws {
        try entries.forEach { url, body in _ = try store(body, for: key(for: url)) }
    }

    /// Nothing to do.
    public func settle() {}

    /// The type itself.
    public static var verified: any CacheSubject.Type { self }

    /// The key of the URL, if nothing else matters.
    public func key(for request: SubjectRequest) throws -> Key {
        guard request.isPlain else { throw GaugeError("\(Self.name) knows nothing of requests but their URL") }
        return try key(for: request.url)
    }

    /// Not known.
    public func store(_ body: UnsafeRawBufferPointer, for key: Key, userInfo: [String: PropertyValue]) throws {
        throw GaugeError("\(Self.name) keeps nothing beside an entry")
    }

    /// Not known.
    public func userInfo(for key: Key) throws -> [String: PropertyValue]? {
        throw GaugeError("\(Self.name) keeps nothing beside an entry")
    }

    /// Not known.
    public func store(_ body: UnsafeRawBufferPointer, for key: Key, policy: SubjectStoragePolicy) throws {
        throw GaugeError("\(Self.name) knows no storage policies")
    }

    /// Not known.
    public func removeAll(since moment: Double) throws {
        throw GaugeError("\(Self.name) does not remove since a date")
    }

    /// Not known.
    public func resize(memory: Int, disk: Int) throws {
        throw GaugeError("\(Self.name) cannot change its capacities")
    }
}
