import CacheTiers
import HTTPCache
import HTTPSemantics

extension CachedURLResponse {
    /// A stored response in Foundation's types; `nil` when Foundation refuses its status.
    static func make(_ stored: StoredResponse, url: URL) -> CachedURLResponse? {
        #if canImport(FoundationNetworking)
        return StoredURLResponse(stored, url: url)
        #else
        let decoded = DecodedEntry.of(stored)
        guard let response = decoded.response(of: stored, url: url) else { return nil }
        return CachedURLResponse(
            response: response, data: decoded.body(of: stored), userInfo: decoded.userInfo(of: stored, url: url),
            storagePolicy: URLCache.StoragePolicy(stored.entry.policy))
        #endif
    }
}

#if canImport(FoundationNetworking)
/// A stored response that is decoded as far as it is read: `HTTPURLResponse` costs 6 µs on Linux, three times
/// the reading off the disk, and many who look something up want the body alone.
///
/// `@unchecked Sendable`, as its superclass is: immutable, except for the decoded parts, which the entry keeps and
/// publishes (`DecodedEntry`).
final class StoredURLResponse: CachedURLResponse, @unchecked Sendable {
    private let stored: StoredResponse
    private let url: URL
    private let decoded: DecodedEntry
    /// The response that the superclass demands; it is never handed out.
    private static let nothing = URLResponse(
        url: URL(filePath: "/"), mimeType: nil, expectedContentLength: -1, textEncodingName: nil)

    init(_ stored: StoredResponse, url: URL) {
        self.stored = stored
        self.url = url
        decoded = DecodedEntry.of(stored)
        super.init(
            response: Self.nothing, data: decoded.body(of: stored), userInfo: nil,
            storagePolicy: URLCache.StoragePolicy(stored.entry.policy))
    }

    override var response: URLResponse {
        decoded.response(of: stored, url: url)
            // Not met on Linux, where every status is taken.
            ?? URLResponse(url: url, mimeType: nil, expectedContentLength: -1, textEncodingName: nil)
    }

    override var userInfo: [AnyHashable: Any]? { decoded.userInfo(of: stored, url: url) }
}
#endif
