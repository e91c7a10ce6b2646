import CacheTiers
import HTTPCache
import HTTPSemantics
import Platform

/// A stored response in Foundation's types, decoded once for each entry and kept with it: `HTTPURLResponse` alone costs
/// 6 µs on Linux, twenty times the lookup. It weighs about 3 KB beside the entry's own cost, for entries whose header has
/// been read.
///
/// `@unchecked Sendable`: immutable except for `handedOut`, which is private; `known` and `keep` alone touch it, between
/// `takeLock` and `unlock`. The objects are immutable too; the values of `userInfo` were decoded from a property list for
/// this object alone.
final class DecodedResponse: @unchecked Sendable {
    /// The response as it was stored, with the URL that was asked for first.
    private let response: HTTPURLResponse
    /// The text of that URL; `nil` if the application made the response.
    private let url: String?
    let userInfo: [AnyHashable: Any]?

    private let lock = BriefLock()
    private let forkGeneration = currentForkGeneration()
    private var handedOut = HandedOut()

    /// The last responses that were handed out.
    private struct HandedOut {
        var aged: Aged?
        var respelled: HTTPURLResponse?
    }

    /// A response, and the age and URL for which it was made.
    private struct Aged {
        let age: Int64
        let url: String
        let response: HTTPURLResponse
    }

    private init(response: HTTPURLResponse, url: String?, userInfo: [AnyHashable: Any]?) {
        self.response = response
        self.url = url
        self.userInfo = userInfo
    }

    /// The response as it was stored, with the URL that is asked for, which may differ from that of other requests with
    /// the same key. The last one is kept.
    func response(url: URL) -> HTTPURLResponse {
        guard let first = self.url, case let text = url.absoluteString, text != first else { return response }
        if let other = known({ $0.respelled }), other.url?.absoluteString == text { return other }
        let made = HTTPURLResponse(
            url: url, statusCode: response.statusCode, httpVersion: "HTTP/1.1",
            headerFields: response.allHeaderFields as? [String: String])
        guard let made else { return response }
        keep { $0.respelled = made }
        return made
    }

    /// Whether `response(url:)` has made it, for any of the last two URLs.
    func hasMade(_ response: URLResponse) -> Bool {
        self.response === response || known { $0.respelled } === response
    }

    /// The response with this `Age` (RFC 9111, section 5.1) and the URL that was asked for, which may differ from that of
    /// other requests with the same key, for instance in its fragment. Made once for each age, which is at most once a
    /// second, as long as the same URL is asked for.
    ///
    /// - Parameter text: the absolute text of `url`.
    func response(age: Int64, url: URL, text: String) -> HTTPURLResponse? {
        let known = known { last in last.aged.flatMap { $0.age == age && $0.url == text ? $0.response : nil } }
        if let known { return known }
        var fields: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String, name.lowercased() != "age" {
                fields[name] = value
            }
        }
        fields["Age"] = String(age)
        let made = HTTPURLResponse(
            url: url, statusCode: response.statusCode, httpVersion: "HTTP/1.1", headerFields: fields)
        if let made { keep { $0.aged = Aged(age: age, url: text, response: made) } }
        return made
    }

    private func known<Value>(_ read: (HandedOut) -> Value?) -> Value? {
        guard takeLock() else { return nil }
        defer { lock.unlock() }
        return read(handedOut)
    }

    private func keep(_ change: (inout HandedOut) -> Void) {
        guard takeLock() else { return }
        let previous = handedOut
        change(&handedOut)
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

    /// The response that was just given to the cache; `nil` if it is not an HTTP response.
    convenience init?(_ cached: CachedURLResponse) {
        guard let response = cached.response as? HTTPURLResponse else { return nil }
        self.init(response: response, url: nil, userInfo: cached.userInfo)
    }

    /// The response kept with the entry, decoded now if necessary; `nil` for a status that Foundation refuses.
    static func of(_ stored: StoredResponse, url: URL) -> DecodedResponse? {
        if let decoded = stored.entry.attachment as? DecodedResponse { return decoded }
        guard let response = HTTPURLResponse(stored.response, url: url) else { return nil }
        let decoded = DecodedResponse(
            response: response, url: url.absoluteString,
            userInfo: ApplicationData(decoding: stored.applicationData).userInfo)
        return stored.entry.attach(decoded) as? DecodedResponse
    }
}
