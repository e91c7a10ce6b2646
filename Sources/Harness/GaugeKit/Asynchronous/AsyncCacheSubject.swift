import Synchronization

/// A cache whose operations are asynchronous: an actor, or a session that looks its cache up before it goes to an
/// origin.
///
/// It is measured on tasks, since it is used on tasks: `memory/hit/…` and the like on one, `hits` and `zipf` on 1, 2
/// and 64 at once, with the context switches they take. `verify`, `replay` and the workloads call it from threads that
/// wait; workloads and disk rows are timed inside the task.
///
/// An actor conforms if its `key(for:)` is `nonisolated`. Capabilities whose functions an asynchronous subject doesn't
/// have aren't tried: ``SubjectCapabilities/userInfo``, ``SubjectCapabilities/storagePolicy``.
///
/// ```swift
/// actor Mine: AsyncCacheSubject {
///     static let name = "mine"
///     static let capabilities: SubjectCapabilities = [.memory, .threads]
///     private var entries: [String: SubjectValue] = [:]
///
///     init(_ configuration: SubjectConfiguration) {}
///     nonisolated func key(for url: String) -> String { url }
///     func lookUp(_ key: String) -> (body: SubjectValue, outcome: Outcome)? { entries[key].map { ($0, .memoryHit) } }
///     func store(_ body: SubjectValue, for key: String) -> Outcome {
///         entries[key] = body
///         return .store
///     }
///     func remove(_ key: String) { entries[key] = nil }
/// }
/// ```
public protocol AsyncCacheSubject: DescribedSubject, Sendable where Key: Sendable {
    /// A body as callers pass it and get it back: `Data`, `[UInt8]`, or ``SubjectValue`` for a cache of any values.
    associatedtype Body: SubjectBody

    /// Makes the subject, as an application would at startup. Untimed.
    init(_ configuration: SubjectConfiguration) async throws

    /// Looks a key up.
    ///
    /// - Returns: the body and its outcome, as in ``CacheSubject/lookUp(_:_:)``; `nil` on a miss.
    func lookUp(_ key: Key) async throws -> (body: Body, outcome: Outcome)?

    /// Stores a body in place of the key's entry. The body was made before the call, untimed.
    ///
    /// - Returns: `.storeEvict` if the store evicted something and the subject knows so, else `.store`.
    func store(_ body: Body, for key: Key) async throws -> Outcome

    /// Removes the entry of the key.
    func remove(_ key: Key) async throws

    /// Removes the entries stored after a moment, seconds since 1970. Untimed. Called only on subjects with
    /// ``SubjectCapabilities/removalSince``.
    func removeAll(since moment: Double) async throws

    /// Removes every entry. Untimed. Called only on subjects with ``SubjectCapabilities/removalOfAll``.
    func removeAll() async throws

    /// Changes the capacities; see ``CacheSubject/resize(memory:disk:)``. Untimed. Called only on subjects with
    /// ``SubjectCapabilities/resize``.
    func resize(memory: Int, disk: Int) async throws

    /// Writes everything to the operating system or to the device. Untimed. Does nothing by default.
    func settle() async throws

    /// The space that the subject occupies. Untimed. Not known by default.
    var usage: SubjectUsage { get async }

    /// Counts that the subject keeps, by name. Untimed. Empty by default.
    var counters: [String: Int] { get async }
}

// Default implementations.
extension AsyncCacheSubject {
    /// Least recently used first.
    public static var order: SubjectOrder { .lru }
    /// No usage known.
    public var usage: SubjectUsage { get async { SubjectUsage() } }
    /// No counters.
    public var counters: [String: Int] { get async { [:] } }

    /// Throws: not supported.
    public func removeAll(since moment: Double) async throws {
        throw GaugeError("\(Self.name) does not remove since a date")
    }

    /// Throws: not supported.
    public func removeAll() async throws { throw GaugeError("\(Self.name) cannot be emptied") }

    /// Throws: not supported.
    public func resize(memory: Int, disk: Int) async throws {
        throw GaugeError("\(Self.name) cannot change its capacities")
    }

    /// Nothing to do.
    public func settle() async throws {}
}

/// An asynchronous cache as a ``CacheSubject``: each call runs in a task on the calling thread, which waits.
@usableFromInline
package final class AsyncSubject<Subject: AsyncCacheSubject>: CacheSubject, BridgedSubject {
    @usableFromInline package static var name: String { Subject.name }
    @usableFromInline package static var capabilities: SubjectCapabilities {
        Subject.capabilities.subtracting([.userInfo, .storagePolicy])
    }
    @usableFromInline package static var order: SubjectOrder { Subject.order }
    @usableFromInline package static var diskOrder: SubjectOrder { Subject.diskOrder }
    @usableFromInline package static var limits: SubjectLimits { Subject.limits }
    @usableFromInline package static var details: String { Subject.details }
    @usableFromInline package static var title: String { Subject.title }

    @usableFromInline package let subject: Subject
    private let nanoseconds = Atomic<UInt64>(0)

    /// The last call's time inside its task, nanoseconds; with several threads, that of any of them.
    @usableFromInline package var callNanoseconds: UInt64 { nanoseconds.load(ordering: .relaxed) }

    @usableFromInline package init(_ configuration: SubjectConfiguration) throws {
        subject = try CallingThread().run { try await Subject(configuration) }
    }

    @usableFromInline package func key(for url: String) throws -> Subject.Key { try subject.key(for: url) }

    @usableFromInline package func key(for request: SubjectRequest) throws -> Subject.Key {
        try subject.key(for: request)
    }

    /// Calls the cache in a task on this thread, and times the call there.
    private func timed<Value: Sendable>(_ call: @escaping @Sendable (Subject) async throws -> Value) throws -> Value {
        let subject = subject
        let (value, taken) = try CallingThread().run {
            let start = LatencyRecorder.now()
            let value = try await call(subject)
            return (value, LatencyRecorder.now() &- start)
        }
        nanoseconds.store(taken, ordering: .relaxed)
        return value
    }

    @usableFromInline package func lookUp(_ key: Subject.Key, _ read: (UnsafeRawBufferPointer) -> Void) throws
        -> Outcome
    {
        guard let found = try timed({ try await $0.lookUp(key) }) else { return .miss }
        found.body.lend(to: read)
        return found.outcome
    }

    @usableFromInline package func store(_ body: UnsafeRawBufferPointer, for key: Subject.Key) throws -> Outcome {
        let body = Subject.Body(body: body)
        return try timed { try await $0.store(body, for: key) }
    }

    @usableFromInline package func remove(_ key: Subject.Key) throws { try timed { try await $0.remove(key) } }

    @usableFromInline package func removeAll(since moment: Double) throws {
        try timed { try await $0.removeAll(since: moment) }
    }

    @usableFromInline package func removeAll() throws { try timed { try await $0.removeAll() } }

    @usableFromInline package func resize(memory: Int, disk: Int) throws {
        try timed { try await $0.resize(memory: memory, disk: disk) }
    }

    @usableFromInline package func settle() throws { try timed { try await $0.settle() } }

    @usableFromInline package var usage: SubjectUsage { (try? timed { await $0.usage }) ?? SubjectUsage() }

    @usableFromInline package var counters: [String: Int] { (try? timed { await $0.counters }) ?? [:] }
}

extension AsyncCacheSubject {
    /// The subject as `verify`, `replay` and the workloads drive it.
    @usableFromInline package static var bridged: any CacheSubject.Type { AsyncSubject<Self>.self }
}
