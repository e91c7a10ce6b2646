// Invariant of the pointers: the data's deallocator retains the entry, so that the body's address stays valid, and
// nothing writes through it.

import CacheTiers
import HTTPCache
import HTTPSemantics

extension CachedURLResponse {
    /// A stored response in Foundation's types; `nil` when Foundation refuses its status.
    static func make(_ stored: StoredResponse, url: URL) -> CachedURLResponse? {
        #if canImport(FoundationNetworking)
        return StoredURLResponse(stored, url: url)
        #else
        guard let decoded = DecodedResponse.of(stored, url: url) else { return nil }
        return CachedURLResponse(
            response: decoded.response(url: url), data: stored.data, userInfo: decoded.userInfo,
            storagePolicy: URLCache.StoragePolicy(stored.entry.policy))
        #endif
    }
}

#if canImport(FoundationNetworking)
/// A stored response that is decoded as far as it is read: `HTTPURLResponse` costs 6 µs on Linux, three times
/// the reading off the disk, and many who look something up want the body alone. Kept with an entry in memory it weighs
/// about 300 bytes beside the entry's own cost.
///
/// `@unchecked Sendable`, as its superclass is: immutable, except for the decoded parts, which the entry keeps and
/// publishes (`DecodedResponse.of`).
final class StoredURLResponse: CachedURLResponse, @unchecked Sendable {
    private let stored: StoredResponse
    private let url: URL
    /// The response that the superclass demands; it is never handed out.
    private static let nothing = URLResponse(
        url: URL(filePath: "/"), mimeType: nil, expectedContentLength: -1, textEncodingName: nil)

    init(_ stored: StoredResponse, url: URL) {
        self.stored = stored
        self.url = url
        super.init(
            response: Self.nothing, data: stored.data, userInfo: nil,
            storagePolicy: URLCache.StoragePolicy(stored.entry.policy))
    }

    override var response: URLResponse {
        DecodedResponse.of(stored, url: url)?.response(url: url)
            // Not met on Linux, where every status is taken.
            ?? URLResponse(url: url, mimeType: nil, expectedContentLength: -1, textEncodingName: nil)
    }

    override var userInfo: [AnyHashable: Any]? { DecodedResponse.of(stored, url: url)?.userInfo }
}
#endif

extension StoredResponse {
    /// The body, not copied: the data holds on to the entry.
    var data: Data { withBody { data($0) } }

    /// These bytes of the body, not copied.
    func data(_ range: Range<Int>) -> Data { withBody { data(UnsafeRawBufferPointer(rebasing: $0[range])) } }

    private func data(_ body: UnsafeRawBufferPointer) -> Data {
        guard let start = body.baseAddress, body.count > 0 else { return Data() }
        // The bytes are never written: Data copies before it changes bytes that it does not own alone.
        return Data(
            bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: body.count,
            deallocator: .custom { [entry] _, _ in withExtendedLifetime(entry) {} })
    }
}
