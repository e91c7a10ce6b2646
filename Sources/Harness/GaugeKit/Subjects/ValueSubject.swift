/// A cache in memory whose values aren't bytes: `Cache<Key, Value>`. It is measured and verified with the harness's own
/// values, ``SubjectValue`` or ``SubjectObject``.
///
/// ```swift
/// final class Mine: ValueSubject {
///     static let name = "mine"
///     static let capabilities: SubjectCapabilities = [.memory, .entryLimit]
///     private let cache: Cache<String, SubjectValue>
///
///     init(_ configuration: SubjectConfiguration) { cache = Cache(countLimit: configuration.entryLimit ?? 0) }
///     func key(for url: String) -> String { url }
///     func value(for key: String) -> SubjectValue? { cache[key] }
///     func store(_ value: SubjectValue, for key: String) -> Outcome {
///         cache[key] = value
///         return .store
///     }
///     func remove(_ key: String) { cache[key] = nil }
/// }
/// ```
public protocol ValueSubject: CacheSubject {
    /// What the cache holds.
    associatedtype Value: SubjectBody

    /// Looks a key up; `nil` on a miss.
    func value(for key: Key) throws -> Value?

    /// Stores a value in place of the key's.
    ///
    /// - Returns: `.storeEvict` if the store evicted something and the subject knows so, else `.store`.
    func store(_ value: Value, for key: Key) throws -> Outcome
}

extension ValueSubject {
    /// Lends the bytes that the value stands for.
    @inlinable
    public func lookUp(_ key: Key, _ read: (UnsafeRawBufferPointer) -> Void) throws -> Outcome {
        guard let value = try value(for: key) else { return .miss }
        value.lend(to: read)
        return .memoryHit
    }

    /// Stores a value that stands for the body. Making it is part of the store, like copying the body elsewhere.
    @inlinable
    public func store(_ body: UnsafeRawBufferPointer, for key: Key) throws -> Outcome {
        try store(Value(body: body), for: key)
    }
}
