import CacheTiers
import HTTPCache
import HTTPSemantics

extension CachedURLResponse {
    /// A stored response in Foundation's types; `nil` if Foundation refuses its status.
    ///
    /// - Parameter isCanonical: the URL's text is the entry's key.
    static func make(
        _ stored: StoredResponse, url: URL, isCanonical: Bool, in memory: DecodedMemory?
    ) -> CachedURLResponse? {
        let decoded = DecodedEntry.of(stored, in: memory)
        #if canImport(FoundationNetworking)
        return StoredURLResponse(stored, decoded, url: isCanonical ? nil : url, in: memory)
        #else
        guard let response = decoded.response(of: stored, url: url) else { return nil }
        return CachedURLResponse(
            response: response, data: decoded.body(of: stored), userInfo: decoded.userInfo(of: stored, url: url),
            storagePolicy: URLCache.StoragePolicy(stored.entry.policy))
        #endif
    }
}

#if canImport(FoundationNetworking)
/// A stored response, decoded as far as it is read: `HTTPURLResponse` costs 6 µs on Linux, three times a read from
/// disk, and many callers only want the body.
///
/// `@unchecked Sendable`, like its superclass: immutable, except for the decoded parts, which the entry keeps and
/// publishes (`DecodedEntry`).
final class StoredURLResponse: CachedURLResponse, @unchecked Sendable {
    /// Bytes of one.
    private static let byteCount = 192

    private let entry: StoredEntry
    private let decoded: DecodedEntry
    /// `nil` if its text is the entry's key: a parsed URL takes 400 bytes.
    private let url: URL?
    private let memory: DecodedMemory?
    /// The superclass demands a response; this one is never handed out.
    private static let nothing = URLResponse(
        url: URL(filePath: "/"), mimeType: nil, expectedContentLength: -1, textEncodingName: nil)

    init(_ stored: StoredResponse, _ decoded: DecodedEntry, url: URL?, in memory: DecodedMemory?) {
        entry = stored.entry
        self.decoded = decoded
        self.url = url
        self.memory = memory
        super.init(
            response: Self.nothing, data: decoded.body(of: stored), userInfo: nil,
            storagePolicy: URLCache.StoragePolicy(stored.entry.policy))
        memory?.add(Self.byteCount)
    }

    deinit { memory?.subtract(Self.byteCount) }

    override var response: URLResponse {
        if let (stored, url) = source, let response = decoded.response(of: stored, url: url) { return response }
        // Never happens on Linux, where every status is accepted.
        return Self.nothing
    }

    override var userInfo: [AnyHashable: Any]? { source.flatMap { decoded.userInfo(of: $0, url: $1) } }

    /// What the response is decoded from, and the URL asked for.
    private var source: (StoredResponse, URL)? {
        guard let stored = StoredResponse(entry, in: .memory),
            let url = url ?? URL(string: entry.withKey { String(decoding: $0, as: UTF8.self) })
        else { return nil }
        return (stored, url)
    }
}
#endif

extension StoragePolicy {
    /// By name; a case that Foundation may add is stored nowhere.
    init(_ policy: URLCache.StoragePolicy) {
        switch policy {
        case .allowed: self = .allowed
        case .allowedInMemoryOnly: self = .allowedInMemoryOnly
        case .notAllowed: self = .notAllowed
        @unknown default: self = .notAllowed
        }
    }
}

extension CachedURLResponse {
    /// The tiers that may hold it: none if the application says so, only memory if `userInfo` contains something that
    /// bytes cannot hold.
    func policy(_ data: ApplicationData) -> StoragePolicy {
        let policy = StoragePolicy(storagePolicy)
        return policy == .allowed && !data.isPersistent ? .allowedInMemoryOnly : policy
    }
}

extension URLCache.StoragePolicy {
    init(_ policy: StoragePolicy) {
        switch policy {
        case .allowed: self = .allowed
        case .allowedInMemoryOnly: self = .allowedInMemoryOnly
        case .notAllowed: self = .notAllowed
        }
    }
}
