// Invariant of the pointer: the data's deallocator keeps the entry's memory, so the body's address stays valid.

import CacheTiers
import HTTPCache
import HTTPSemantics
import Platform

/// A stored response in Foundation's types, made on demand and kept with the entry: on Linux an `HTTPURLResponse` costs
/// several times the lookup. `DecodedMemory` counts and bounds what is kept.
///
/// **Values.** Foundation on Linux changes a `Data` in place while nothing else refers to its bytes, even bytes that it
/// does not own. So everything that lends an entry's bytes shares one `Data`, and this object keeps a copy of that
/// while the entry lives: whoever changes theirs gets a copy. The object lives as long as the entry, and the entry as
/// long as anything but that `Data` may read its bytes. An entry that only one caller has needs none of this
/// (`StoredURLResponse.init(unshared:)`).
///
/// `@unchecked Sendable`: `memory` is a Sendable constant. `given` is a constant dictionary whose values
/// `ApplicationData` has copied; those that cannot be copied are shared as the application gave them, as in URLCache,
/// and never used here. The private variables `lent` and `made`, and what is in `made`, are touched only while this
/// thread holds `lock` (from `takeLock` to `unlock`), in `init` and in `deinit`, where no other thread has the object.
/// What is handed out of them is a value (`Data`), or an `HTTPURLResponse`, which does not change.
final class DecodedEntry: @unchecked Sendable {
    /// A body of at most this many bytes is copied, which takes less memory and time than lending it.
    private static let mostCopied = 256
    /// Bytes of this object, of a `Data` that lends bytes, of `Made`, and of a `Data` beside its own bytes.
    private static let (ownCount, lentCount, madeCount, dataCount) = (96, 160, 144, 128)

    private let memory: DecodedMemory?
    /// Whether it lives as long as the entry; if not, it may not lend the entry's bytes.
    private let isKept: Bool
    private let lock = BriefLockWord()
    /// The application's data that bytes cannot hold.
    let given: [AnyHashable: Any]?
    /// The body, if it lends the entry's bytes; it stays as long as the entry does.
    private var lent: Data?
    private var made: Made?

    /// What may be dropped and made again.
    private final class Made {
        let memory: DecodedMemory?
        /// Bytes of an `HTTPURLResponse`.
        let responseCount: Int
        var body: Data?
        var head: Head?
        /// The last responses handed out, other than `head`.
        var aged: Aged?
        var respelled: HTTPURLResponse?

        init(_ memory: DecodedMemory?, _ entry: StoredEntry) {
            self.memory = memory
            // Field names and values become strings and a dictionary, and the URL is parsed.
            responseCount = 960 + 3 * entry.metadataCount
        }

        var byteCount: Int {
            let responses = (head == nil ? 0 : 1) + (aged == nil ? 0 : 1) + (respelled == nil ? 0 : 1)
            return DecodedEntry.madeCount + responses * responseCount
                + (body.map { DecodedEntry.dataCount + $0.count } ?? 0)
        }

        deinit { memory?.subtract(byteCount) }
    }

    private struct Head {
        let response: HTTPURLResponse
        /// The text of the URL that was asked for first.
        let url: String
        let userInfo: [AnyHashable: Any]?
    }

    private struct Aged {
        let age: Int64
        let url: String
        let response: HTTPURLResponse
    }

    /// - Parameters:
    ///   - userInfo: what bytes cannot hold, frozen; `nil` if the entry's bytes say everything.
    ///   - memory: the cache's; `nil` counts nothing.
    init(userInfo: [AnyHashable: Any]? = nil, in memory: DecodedMemory?) {
        self.memory = memory
        isKept = true
        given = userInfo
        memory?.count(lasting: Self.ownCount)
    }

    /// For one caller, where there is no room to keep more.
    private init() {
        memory = nil
        isKept = false
        given = nil
    }

    deinit { memory?.count(lasting: -Self.ownCount - (lent == nil ? 0 : Self.lentCount)) }

    /// The object kept with the entry, made now if there is none; one that is not kept if there is no room for more.
    static func of(_ entry: StoredEntry, in memory: DecodedMemory?) -> DecodedEntry {
        if let decoded = entry.attachment as? DecodedEntry { return decoded }
        if memory?.isCrowded == true { return DecodedEntry() }
        return attached(to: entry, in: memory)
    }

    /// The same, room or no room: for an entry that lives no longer than what is handed out.
    static func attached(to entry: StoredEntry, in memory: DecodedMemory?) -> DecodedEntry {
        if let decoded = entry.attachment as? DecodedEntry { return decoded }
        let decoded = DecodedEntry(in: memory)
        return entry.attach(decoded) as? DecodedEntry ?? decoded
    }

    func forget() {
        guard takeLock() else { return }
        let forgotten = made
        made = nil
        lock.unlock()
        // Released after unlocking.
        withExtendedLifetime(forgotten) {}
    }

    // MARK: What is handed out

    /// The body, not copied unless it is small.
    func body(of entry: StoredEntry) -> Data {
        if entry.bodyCount <= Self.mostCopied || !isKept {
            let body = use(entry) { made -> Data in
                let body = made.body ?? entry.withBody { Data($0) }
                made.body = body
                return body
            }
            if let body { return body }
        } else if let body = lentBody(of: entry) {
            return body
        }
        // Without the lock nothing can be kept, and only a copy belongs to the caller alone.
        return entry.withBody { Data($0) }
    }

    /// The response as stored, with the URL asked for, which may differ between requests with the same key. The last
    /// one is kept. `nil` for a status that Foundation refuses.
    func response(of stored: StoredResponse, url: URL) -> HTTPURLResponse? {
        guard let head = head(of: stored, url: url) else { return nil }
        let text = url.absoluteString
        guard text != head.url else { return head.response }
        if let other = read({ $0.respelled }), other.url?.absoluteString == text { return other }
        guard
            let made = HTTPURLResponse(
                url: url, statusCode: head.response.statusCode, kept: head.response.namedFields ?? [:])
        else { return nil }
        replace(in: stored) { kept in
            defer { kept.respelled = made }
            return kept.respelled
        }
        return made
    }

    /// The application's data beside the response.
    func userInfo(of stored: StoredResponse, url: URL) -> [AnyHashable: Any]? {
        given ?? head(of: stored, url: url)?.userInfo
    }

    /// The body, and the response with this `Age` (RFC 9111, section 5.1) and the URL asked for, which may differ
    /// between requests with the same key, e.g. in its fragment. While the same URL is asked for, the response is made
    /// once for each age, so at most once a second.
    ///
    /// - Parameter text: the absolute text of `url`.
    func answer(of stored: StoredResponse, age: Int64, url: URL, text: String) -> (Data, HTTPURLResponse)? {
        if takeLock() {
            defer { lock.unlock() }
            if let made, made.aged?.age == age, made.aged?.url == text, let response = made.aged?.response {
                if let lent { return (lent, response) }
                if let body = made.body { return (body, response) }
            }
        }
        guard let response = aged(stored, age, url, text) else { return nil }
        return (body(of: stored.entry), response)
    }

    /// Whether `response(of:url:)` has made it, for either of the last two URLs.
    func hasMade(_ response: URLResponse) -> Bool {
        read { $0.head?.response === response || $0.respelled === response } ?? false
    }

    // MARK: Making

    private func aged(_ stored: StoredResponse, _ age: Int64, _ url: URL, _ text: String) -> HTTPURLResponse? {
        guard let head = head(of: stored, url: url) else { return nil }
        // Foundation has capitalised the names.
        var fields = head.response.namedFields ?? [:]
        fields["Age"] = String(age)
        guard let made = HTTPURLResponse(url: url, statusCode: head.response.statusCode, kept: fields) else {
            return nil
        }
        replace(in: stored) { kept in
            defer { kept.aged = Aged(age: age, url: text, response: made) }
            return kept.aged
        }
        return made
    }

    /// Decodes without the lock; if two threads decode at once, both get the first one's.
    private func head(of stored: StoredResponse, url: URL) -> Head? {
        if let head = read({ $0.head }) { return head }
        guard let response = HTTPURLResponse(stored.response, url: url) else { return nil }
        let decoded = Head(
            response: response, url: url.absoluteString,
            userInfo: given ?? ApplicationData(decoding: stored.applicationData).userInfo)
        return use(stored.entry) { made in
            if made.head == nil { made.head = decoded }
            return made.head ?? decoded
        } ?? decoded
    }

    /// The one `Data` that lends the entry's bytes; `nil` if the lock cannot be taken.
    private func lentBody(of entry: StoredEntry) -> Data? {
        guard takeLock() else { return nil }
        if let lent {
            lock.unlock()
            return lent
        }
        let body = entry.withBody { body -> Data in
            guard let start = body.baseAddress else { return Data() }
            return Data(
                bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: body.count,
                deallocator: .custom { [memory = entry.memory] _, _ in withExtendedLifetime(memory) {} })
        }
        lent = body
        lock.unlock()
        memory?.count(lasting: Self.lentCount)
        return body
    }

    // MARK: The lock

    private func read<Value>(_ read: (Made) -> Value?) -> Value? {
        guard takeLock() else { return nil }
        defer { lock.unlock() }
        return made.flatMap(read)
    }

    private func replace<Value>(in stored: StoredResponse, _ exchange: (Made) -> Value?) {
        withExtendedLifetime(use(stored.entry, exchange)) {}
    }

    /// Reads and changes what was made, under the lock, and counts what was added; `nil` if the lock cannot be taken.
    private func use<Value>(_ entry: StoredEntry, _ use: (Made) -> Value) -> Value? {
        guard takeLock() else { return nil }
        let isNew = made == nil
        let made = self.made ?? Made(memory, entry)
        self.made = made
        let before = isNew ? 0 : made.byteCount
        let value = use(made)
        let added = made.byteCount - before
        lock.unlock()
        if added > 0 { memory?.add(added) }
        return value
    }

    /// - Returns: `false` in a forked child if a thread holds the lock that may not exist here.
    private func takeLock() -> Bool {
        guard let memory, currentForkGeneration() == memory.forkGeneration else { return lock.tryLock() }
        lock.lock()
        return true
    }
}

extension StoredResponse {
    /// The body, not copied unless it is small.
    func data(in memory: DecodedMemory?) -> Data { DecodedEntry.of(entry, in: memory).body(of: entry) }

    /// These bytes of the body, copied.
    func data(_ range: Range<Int>) -> Data { withBody { Data($0[range]) } }
}
