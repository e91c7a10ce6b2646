import CacheTiers
import HTTPCache
import HTTPSemantics

extension CachedURLResponse {
    /// A stored response in Foundation's types; `nil` when Foundation takes none of its status.
    convenience init?(_ stored: StoredResponse, url: URL) {
        guard let decoded = DecodedResponse.of(stored, url: url) else { return nil }
        self.init(
            response: decoded.response, data: stored.data, userInfo: decoded.userInfo,
            storagePolicy: URLCache.StoragePolicy(stored.entry.policy))
    }
}

extension StoredResponse {
    /// The body, not copied: the data holds on to the entry.
    var data: Data {
        withBody { body in
            guard let start = body.baseAddress, body.count > 0 else { return Data() }
            // The bytes are never written: Data copies before it changes what it does not own alone.
            return Data(
                bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: body.count,
                deallocator: .custom { [entry] _, _ in withExtendedLifetime(entry) {} })
        }
    }
}
