// Invariant of the pointer: the data's deallocator keeps the entry's memory, so that the body's address stays valid.

import CacheTiers
import HTTPCache
import HTTPSemantics
import Platform

/// A stored response in Foundation's types, made once for each entry and kept with it: `HTTPURLResponse` alone costs 6 µs on
/// Linux, twenty times the lookup.
///
/// **Values.** Foundation on Linux changes a `Data` in place while nothing else refers to its bytes, even bytes that it does
/// not own. So all that is handed out of one entry shares one `Data`, of which this object keeps a copy: who changes his own
/// copies it. The object lives as long as the entry, and the entry as long as anything but that `Data` may read its bytes.
///
/// `@unchecked Sendable`: immutable except for `made`, which is private and touched only between `takeLock` and
/// `unlock`. The objects in it are immutable; `userInfo` was decoded for this object, or frozen when it was stored.
final class DecodedEntry: @unchecked Sendable {
    /// An application's own `userInfo` that bytes cannot hold.
    private let given: [AnyHashable: Any]?

    private let lock = BriefLock()
    private let forkGeneration = currentForkGeneration()
    private var made = Made()

    /// What has been made so far.
    private struct Made {
        var body: Data?
        var head: Head?
        /// The last responses that were handed out beside `head`.
        var aged: Aged?
        var respelled: HTTPURLResponse?
    }

    /// The response as it was stored.
    private struct Head {
        let response: HTTPURLResponse
        /// The text of the URL that was asked for first.
        let url: String
        let userInfo: [AnyHashable: Any]?
    }

    /// A response, and the age and URL for which it was made.
    private struct Aged {
        let age: Int64
        let url: String
        let response: HTTPURLResponse
    }

    /// - Parameter userInfo: what bytes cannot hold, frozen; `nil` if the entry's bytes say everything.
    init(userInfo: [AnyHashable: Any]? = nil) { given = userInfo }

    /// The object kept with the entry, made now if necessary.
    static func of(_ stored: StoredResponse) -> DecodedEntry {
        if let decoded = stored.entry.attachment as? DecodedEntry { return decoded }
        return stored.entry.attach(DecodedEntry()) as? DecodedEntry ?? DecodedEntry()
    }

    // MARK: What is handed out

    /// The body, not copied.
    func body(of stored: StoredResponse) -> Data {
        // Where the lock cannot be had nothing can be kept.
        guard takeLock() else { return stored.withBody { Data($0) } }
        defer { lock.unlock() }
        return body(stored)
    }

    /// The response as it was stored, with the URL that is asked for, which may differ from that of other requests with
    /// the same key. The last one is kept. `nil` for a status that Foundation refuses.
    func response(of stored: StoredResponse, url: URL) -> HTTPURLResponse? {
        guard let head = head(of: stored, url: url) else { return nil }
        let text = url.absoluteString
        guard text != head.url else { return head.response }
        if let other = read({ $0.respelled }), other.url?.absoluteString == text { return other }
        guard
            let made = HTTPURLResponse(
                url: url, statusCode: head.response.statusCode, httpVersion: "HTTP/1.1",
                headerFields: head.response.allHeaderFields as? [String: String])
        else { return nil }
        keep { $0.respelled = made }
        return made
    }

    /// The application's data beside the response.
    func userInfo(of stored: StoredResponse, url: URL) -> [AnyHashable: Any]? {
        given ?? head(of: stored, url: url)?.userInfo
    }

    /// The application's data that bytes cannot hold.
    var keptUserInfo: [AnyHashable: Any]? { given }

    /// The body, and the response with this `Age` (RFC 9111, section 5.1) and the URL that was asked for, which may differ
    /// from that of other requests with the same key, for instance in its fragment. The response is made once for each age,
    /// which is at most once a second, as long as the same URL is asked for.
    ///
    /// - Parameter text: the absolute text of `url`.
    func answer(of stored: StoredResponse, age: Int64, url: URL, text: String) -> (Data, HTTPURLResponse)? {
        if takeLock() {
            if let aged = made.aged, aged.age == age, aged.url == text {
                let body = body(stored)
                lock.unlock()
                return (body, aged.response)
            }
            lock.unlock()
        }
        guard let response = aged(stored, age, url, text) else { return nil }
        return (body(of: stored), response)
    }

    /// Whether `response(of:url:)` has made it, for any of the last two URLs.
    func hasMade(_ response: URLResponse) -> Bool {
        read { $0.head?.response === response || $0.respelled === response } ?? false
    }

    // MARK: Making

    private func aged(_ stored: StoredResponse, _ age: Int64, _ url: URL, _ text: String) -> HTTPURLResponse? {
        guard let head = head(of: stored, url: url) else { return nil }
        var fields: [String: String] = [:]
        for (name, value) in head.response.allHeaderFields {
            if let name = name as? String, let value = value as? String, name.lowercased() != "age" {
                fields[name] = value
            }
        }
        fields["Age"] = String(age)
        let made = HTTPURLResponse(
            url: url, statusCode: head.response.statusCode, httpVersion: "HTTP/1.1", headerFields: fields)
        if let made { keep { $0.aged = Aged(age: age, url: text, response: made) } }
        return made
    }

    /// Decoded without the lock; of two threads that decode at once both get the first one's.
    private func head(of stored: StoredResponse, url: URL) -> Head? {
        if let head = read({ $0.head }) { return head }
        guard let response = HTTPURLResponse(stored.response, url: url) else { return nil }
        let decoded = Head(
            response: response, url: url.absoluteString,
            userInfo: given ?? ApplicationData(decoding: stored.applicationData).userInfo)
        guard takeLock() else { return decoded }
        defer { lock.unlock() }
        if made.head == nil { made.head = decoded }
        return made.head
    }

    /// Under the lock.
    private func body(_ stored: StoredResponse) -> Data {
        if let body = made.body { return body }
        let body = stored.withBody { body -> Data in
            guard let start = body.baseAddress, body.count > 0 else { return Data() }
            return Data(
                bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: body.count,
                deallocator: .custom { [memory = stored.entry.memory] _, _ in withExtendedLifetime(memory) {} })
        }
        made.body = body
        return body
    }

    // MARK: The lock

    private func read<Value>(_ read: (Made) -> Value?) -> Value? {
        guard takeLock() else { return nil }
        defer { lock.unlock() }
        return read(made)
    }

    private func keep(_ change: (inout Made) -> Void) {
        guard takeLock() else { return }
        let previous = made
        change(&made)
        lock.unlock()
        // Released outside the lock.
        withExtendedLifetime(previous) {}
    }

    /// - Returns: `false` where a thread holds the lock that may not exist in this process, which is a fork.
    private func takeLock() -> Bool {
        guard currentForkGeneration() == forkGeneration else { return lock.tryLock() }
        lock.lock()
        return true
    }
}

extension StoredResponse {
    /// The body, not copied.
    var data: Data { DecodedEntry.of(self).body(of: self) }

    /// These bytes of the body, copied.
    func data(_ range: Range<Int>) -> Data { withBody { Data($0[range]) } }
}
