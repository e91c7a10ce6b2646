/// Anything that stores bodies under URLs and looks them up: the cache of this package, Foundation's, a directory of
/// files, a database. Adding one is one type in one file.
///
/// A subject is used from one thread. It runs in a process of its own unless it is the subject under test, so it may
/// crash without taking the run with it; it may throw, and the error is counted. What it answers is checked.
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
public protocol CacheSubject: AnyObject, SendableMetatype {
    /// What a caller of this cache holds at the moment of asking: a URL's text, a `URLRequest`, a database key. May
    /// also hold what storing needs (a response head), since that is no part of the cache's work.
    associatedtype Key

    /// The last part of the names of its benchmarks, lower-case: `files`.
    static var name: String { get }

    /// What it can do.
    static var capabilities: SubjectCapabilities { get }

    /// How it is set up, in one line for people: version, modes. Nothing unless implemented.
    static var details: String { get }

    /// Makes the subject, as an application would at its start. Untimed.
    init(_ configuration: SubjectConfiguration) throws

    /// Makes the key of a URL. Untimed.
    func key(for url: String) throws -> Key

    /// Looks a key up, and lends the body that was found.
    ///
    /// The body is lent in the state in which a caller can use it: bytes that may change or vanish are copied first,
    /// and bytes that are on disk have been read. The time that `read` takes is not the subject's.
    ///
    /// - Parameter read: called once on a hit, not at all on a miss; the bytes need not live longer than the call.
    /// - Returns: `.memoryHit`, `.diskHit`, `.promotion` or `.miss`; of a cache that does not tell from which tier it
    ///   answered, ``SubjectConfiguration/untoldHit``.
    func lookUp(_ key: Key, _ read: (UnsafeRawBufferPointer) -> Void) throws -> Outcome

    /// Stores a copy of a body, in place of what the key had.
    ///
    /// - Returns: `.storeEvict` when something was evicted for it and the subject knows so, else `.store`. A body that
    ///   the subject does not admit is a store too: it is seen at the next lookup.
    func store(_ body: UnsafeRawBufferPointer, for key: Key) throws -> Outcome

    /// Removes what the key has.
    func remove(_ key: Key) throws

    /// Makes the key of a request of which more than the URL matters. Untimed. Asked of subjects with
    /// ``SubjectCapabilities/requests``.
    func key(for request: SubjectRequest) throws -> Key

    /// Stores a copy of a body, and beside it what an application wants to find again with it. Untimed. Asked of
    /// subjects with ``SubjectCapabilities/userInfo``.
    func store(_ body: UnsafeRawBufferPointer, for key: Key, userInfo: [String: PropertyValue]) throws

    /// What is beside the entry; `nil` when there is no entry or nothing beside it. Untimed, as above.
    func userInfo(for key: Key) throws -> [String: PropertyValue]?

    /// Stores a copy of a body where a policy lets it be kept. Untimed. Asked of subjects with
    /// ``SubjectCapabilities/storagePolicy``.
    func store(_ body: UnsafeRawBufferPointer, for key: Key, policy: SubjectStoragePolicy) throws

    /// Removes what was stored after a moment, seconds since 1970. Untimed. Asked of subjects with
    /// ``SubjectCapabilities/removalSince``.
    func removeAll(since moment: Double) throws

    /// Changes the capacities, bytes, and holds no more than that when it returns. Untimed. Asked of subjects with
    /// ``SubjectCapabilities/resize``.
    func resize(memory: Int, disk: Int) throws

    /// The subject as a replay sees it. Not to be implemented: it is a requirement so that it is compiled where the
    /// subject's type is known.
    static func replayed(
        _ configuration: SubjectConfiguration, answers: Answers, urls: RequestURLs, longest: Int
    ) throws -> ReplayedSubject

    /// The type that is put to the promises in place of this one, as far as it can: the same cache, driven by whole
    /// requests. The type itself unless implemented.
    static var verified: any CacheSubject.Type { get }

    /// What it occupies. Untimed.
    var usage: SubjectUsage { get }

    /// Running counts of the subject's own, by name: `evictions`. Untimed. None unless implemented.
    var counters: [String: Int] { get }

    /// Puts many entries in before measuring. Untimed. Stores one after the other unless implemented, which a subject
    /// whose own store would take minutes does.
    func fill(with entries: FillEntries) throws

    /// Hands everything to the operating system or to the device, as far as the subject can, such that the following
    /// operations find it in the state of a cache that has been open for long. Untimed. Nothing unless implemented.
    func settle() throws
}
