// Invariant of the pointer: the data's deallocator holds the entry, so the body's address stays valid.

import CacheTiers
import HTTPCache
import HTTPSemantics

extension CachedURLResponse {
    /// A stored response in Foundation's types; `nil` if Foundation refuses its status.
    ///
    /// - Parameter isCanonical: the URL's text is the entry's key.
    static func make(
        _ entry: StoredEntry, in tier: CacheTier, url: URL, isCanonical: Bool, _ memory: DecodedMemory?
    ) -> CachedURLResponse? {
        #if canImport(FoundationNetworking)
        let url = isCanonical ? nil : url
        if tier == .disk, entry.isUnshared { return StoredURLResponse(unshared: entry, url, in: memory) }
        let decoded = DecodedEntry.of(entry, in: memory)
        return StoredURLResponse(entry, decoded, data: decoded.body(of: entry), url, in: memory)
        #else
        let decoded = DecodedEntry.of(entry, in: memory)
        guard let stored = StoredResponse(entry, in: tier), let response = decoded.response(of: stored, url: url) else {
            return nil
        }
        return CachedURLResponse(
            response: response, data: decoded.body(of: entry), userInfo: decoded.userInfo(of: stored, url: url),
            storagePolicy: URLCache.StoragePolicy(stored.entry.policy))
        #endif
    }
}

#if canImport(FoundationNetworking)
/// A stored response, decoded as far as it is read: an `HTTPURLResponse` costs more on Linux than a read from disk, and
/// many callers only want the body.
///
/// `@unchecked Sendable`, like its superclass: immutable, except for the decoded parts, which the entry keeps and
/// publishes (`DecodedEntry`).
final class StoredURLResponse: CachedURLResponse, @unchecked Sendable {
    /// Bytes of one.
    private static let byteCount = 192

    private let entry: StoredEntry
    /// `nil` until the head is read, where nobody else has the entry.
    private let decoded: DecodedEntry?
    /// `nil` if its text is the entry's key: a parsed URL takes 400 bytes.
    private let url: URL?
    private let memory: DecodedMemory?
    /// The superclass demands a response; this one is never handed out.
    private static let nothing = URLResponse(
        url: URL(filePath: "/"), mimeType: nil, expectedContentLength: -1, textEncodingName: nil)

    /// A response that was read from disk for its caller alone. So the body is his, and lent at no more than the cost
    /// of a `Data`: whatever he does with it, nobody else reads the bytes.
    convenience init(unshared entry: StoredEntry, _ url: URL?, in memory: DecodedMemory?) {
        let body = entry.withBody { body -> Data in
            guard let start = body.baseAddress, body.count > 0 else { return Data() }
            return Data(
                bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: body.count,
                deallocator: .custom(entry.holder))
        }
        self.init(entry, nil, data: body, url, in: memory)
    }

    init(_ entry: StoredEntry, _ decoded: DecodedEntry?, data: Data, _ url: URL?, in memory: DecodedMemory?) {
        self.entry = entry
        self.decoded = decoded
        self.url = url
        self.memory = memory
        super.init(
            response: Self.nothing, data: data, userInfo: nil,
            storagePolicy: URLCache.StoragePolicy(entry.policy))
        memory?.add(Self.byteCount)
    }

    deinit { memory?.subtract(Self.byteCount) }

    override var response: URLResponse {
        if let (stored, decoded, url) = source, let response = decoded.response(of: stored, url: url) {
            return response
        }
        // Never happens on Linux, where every status is accepted.
        return Self.nothing
    }

    override var userInfo: [AnyHashable: Any]? { source.flatMap { $1.userInfo(of: $0, url: $2) } }

    /// What the response is decoded from, what keeps it decoded, and the URL asked for.
    private var source: (StoredResponse, DecodedEntry, URL)? {
        guard let stored = StoredResponse(entry, in: .memory),
            let url = url ?? URL(string: entry.withKey { String(decoding: $0, as: UTF8.self) })
        else { return nil }
        return (stored, decoded ?? DecodedEntry.attached(to: entry, in: memory), url)
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
