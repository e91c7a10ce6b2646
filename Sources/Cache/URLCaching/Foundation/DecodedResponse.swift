import CacheTiers
import HTTPCache
import HTTPSemantics

/// What Foundation's types are made of, decoded once an entry and kept with it: `HTTPURLResponse` alone costs 6 µs on
/// Linux, twenty times the lookup. About 2 KB beside the entry's own cost, for entries whose head somebody has looked at.
///
/// `@unchecked Sendable`: immutable; `HTTPURLResponse` is so too, and the values of `userInfo` were decoded from a
/// property list and are handed out by nobody else.
final class DecodedResponse: @unchecked Sendable {
    let response: HTTPURLResponse
    let userInfo: [AnyHashable: Any]?

    private init(response: HTTPURLResponse, userInfo: [AnyHashable: Any]?) {
        self.response = response
        self.userInfo = userInfo
    }

    /// What was given to the cache just now; `nil` when it is no HTTP response.
    convenience init?(_ cached: CachedURLResponse) {
        guard let response = cached.response as? HTTPURLResponse else { return nil }
        self.init(response: response, userInfo: cached.userInfo)
    }

    /// What is kept with the entry, or is decoded now and kept; `nil` when Foundation takes none of its status.
    static func of(_ stored: StoredResponse, url: URL) -> DecodedResponse? {
        if let decoded = stored.entry.attachment as? DecodedResponse { return decoded }
        var fields: [String: String] = [:]
        for field in stored.response.headerFields.fields {
            fields[field.name.rawName] = fields[field.name.rawName].map { "\($0), \(field.value)" } ?? field.value
        }
        let response = HTTPURLResponse(
            url: url, statusCode: stored.status, httpVersion: "HTTP/1.1", headerFields: fields)
        guard let response else { return nil }
        let decoded = DecodedResponse(
            response: response, userInfo: ApplicationData(decoding: stored.applicationData).userInfo)
        return stored.entry.attach(decoded) as? DecodedResponse
    }
}
