import GaugeMeasurement
import Synchronization

/// An asynchronous cache as a ``CacheSubject``: each call runs in a task on the calling thread, which waits for it.
@usableFromInline
package final class AsyncSubject<Subject: AsyncCacheSubject>: CacheSubject, BridgedSubject {
    @usableFromInline package static var name: String { Subject.name }
    @usableFromInline package static var capabilities: SubjectCapabilities {
        Subject.capabilities.subtracting([.userInfo, .storagePolicy])
    }
    @usableFromInline package static var order: SubjectOrder { Subject.order }
    @usableFromInline package static var limits: SubjectLimits { Subject.limits }
    @usableFromInline package static var details: String { Subject.details }
    @usableFromInline package static var title: String { Subject.title }

    @usableFromInline package let subject: Subject
    private let nanoseconds = Atomic<UInt64>(0)

    /// The time of the last call inside of its task, nanoseconds. Of several threads, that of any.
    @usableFromInline package var callNanoseconds: UInt64 { nanoseconds.load(ordering: .relaxed) }

    @usableFromInline package init(_ configuration: SubjectConfiguration) throws {
        subject = try CallingThread().run { try await Subject(configuration) }
    }

    @usableFromInline package func key(for url: String) throws -> Subject.Key { try subject.key(for: url) }

    @usableFromInline package func key(for request: SubjectRequest) throws -> Subject.Key {
        try subject.key(for: request)
    }

    /// Calls the cache from a task of this thread, and times the call there.
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
