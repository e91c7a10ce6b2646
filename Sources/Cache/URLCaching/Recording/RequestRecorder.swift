import CacheTiers
import HTTPCache
import HTTPSemantics
import Platform

/// Records an application's requests to its cache, as a trace that `cachegauge replay` and `cachegauge mrc` read: keys,
/// sizes, statuses, the fields that decide about caching, and times.
///
///     let recorder = RequestRecorder()
///     let session = CachingSession(configuration: .init(recorder: recorder))
///     …
///     try recorder.write(to: URL(filePath: "session.jsonl"))
///
/// A session records every answer, a `ResponseCache` its hits and stores. Give a recorder to only one of them, because
/// a session uses its cache. The variants of one URL count as one object.
///
/// Any thread may record and write at any time. Memory is bounded: later requests are counted and dropped. A hit takes
/// some 65 ns, a miss as long as copying the fields.
public final class RequestRecorder: Sendable {
    /// How URLs are recorded.
    public enum Keys: Sendable {
        /// A hash, with a secret that is forgotten with the recorder.
        case hashed
        /// A hash, with a key that the application keeps: recordings of several launches can then be joined.
        case hashedUnder(RecordingKey)
        /// The URL itself, which may identify a user.
        case plain
    }

    private let keys: Keys
    private let hasher: KeyHasher
    private let log: ForkSafe<RequestLog>

    /// A recorder without requests.
    ///
    /// - Parameters:
    ///   - keys: how URLs are recorded.
    ///   - byteLimit: the most memory the recording takes, bytes; a hit takes 16. A negative limit counts as 0.
    public init(keys: Keys = .hashed, byteLimit: Int = 64 << 20) {
        self.keys = keys
        hasher = if case .hashedUnder(let key) = keys { KeyHasher(seed: key.seed) } else { KeyHasher() }
        log = ForkSafe(RequestLog(limit: max(0, byteLimit)))
    }

    /// How many requests are recorded and not removed.
    public var requestCount: Int { log.withLock { $0.requests.count } }

    /// How many requests came after the limit was reached, and are not recorded.
    public var droppedCount: Int { log.withLock { $0.dropped } }

    /// Forgets all requests.
    public func removeAll() { log.withLock { $0.removeAll() } }

    /// Writes the trace to a file, in place of any other: a JSON object for each request, like in Caddy's log.
    ///
    /// - Throws: Foundation's error if the file cannot be written.
    public func write(to file: URL) throws { try Data(trace()).write(to: file, options: .atomic) }

    /// The trace. Formatted without the lock, so requests need not wait.
    package func trace() -> [UInt8] {
        let (requests, answers) = log.withLock { ($0.requests, $0.answers) }
        var text: [UInt8] = []
        requests.forEach { RequestTrace.append(answers[Int($0.answer)], at: $0.time, to: &text) }
        return text
    }

    /// Records a hit.
    ///
    /// - Parameter time: when it was answered. A session knows that anyway, and reading a clock takes 20 ns.
    /// - Returns: whether it is recorded. If not, the recorder does not know the answer yet: pass it to `note`.
    @inline(__always)
    func noteHit(_ url: String, status: Int, size: Int, at time: CacheTime) -> Bool {
        var url = url
        let hash = url.withUTF8 { hasher.hash(UnsafeRawBufferPointer($0)) }
        let time = time.microseconds
        return log.withLock { $0.addHit(hash, status: status, size: size, at: time) }
    }

    /// Records an answer that was not in the cache, or replaces the one there, or has a URL with no known answer.
    func note(_ url: String, _ answer: RecordedAnswer, at time: CacheTime) {
        var url = url
        url.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            add(answer, bytes, hasher.hash(bytes), time.microseconds)
        }
    }

    private func add(_ answer: RecordedAnswer, _ url: UnsafeRawBufferPointer, _ hash: KeyHash, _ time: Int64) {
        var answer = answer
        switch keys {
        case .plain: answer.url = String(decoding: url, as: UTF8.self)
        case .hashed, .hashedUnder: answer.url = "https://recorded.invalid/" + Self.hex(hash.low) + Self.hex(hash.high)
        }
        let named = answer
        log.withLock { $0.add(named, hash, at: time) }
    }

    private static func hex(_ word: UInt64) -> String {
        let text = String(word, radix: 16)
        return String(repeating: "0", count: 16 - text.utf8.count) + text
    }
}

/// The secret with which a recorder hashes URLs. An application that keeps it gives a URL the same name in every
/// launch, so its recordings can be joined to one trace.
///
/// Keep it where the application keeps secrets, and apart from the recordings: whoever has both can try out which URLs
/// were requested. Don't use it for signatures.
public struct RecordingKey: Hashable, Sendable {
    /// Bytes of a key.
    public static let count = 16

    let seed: KeySeed

    /// A new key from the system's random source.
    public init() { seed = .random() }

    /// A kept key.
    ///
    /// - Returns: `nil` unless there are 16 bytes.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.count else { return nil }
        func word(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        seed = KeySeed(word(bytes.prefix(8)), word(bytes.dropFirst(8)))
    }

    /// The 16 bytes to keep.
    public var bytes: [UInt8] {
        [seed.first, seed.second].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
    }
}
