import CacheTiers
import HTTPSemantics

/// Responses in, responses out: the tiers, seen as a store of HTTP responses by request.
///
/// Knows what a key is (the URL, what the application adds, and the request fields that `Vary` names) and what the
/// metadata of an entry means. Decides nothing about freshness: it hands out the facts that `Reuse` decides by.
public final class ResponseStore: Sendable {
    /// Tells representations of one URL apart where the server sends no `Vary` for it: whatever text it gives for a
    /// request becomes part of the key. `nil` adds nothing.
    public typealias KeyHook = @Sendable (HTTPRequest) -> String?

    /// Where the entries are.
    public let tiers: TwoTierCache
    let keyHook: KeyHook?

    /// A store over `tiers`.
    ///
    /// - Parameter keyHook: asked on every lookup and store; costs the hot path a conversion of the request when set.
    public init(tiers: TwoTierCache, keyHook: KeyHook? = nil) {
        self.tiers = tiers
        self.keyHook = keyHook
    }

    /// The response stored for a request, fresh or not; `nil` when there is none or its URL can be no key.
    ///
    /// The method is not looked at: GET and HEAD are the caller's to tell from others.
    public func lookup(_ request: HTTPRequest) -> StoredResponse? {
        var url = request.url
        return url.withUTF8 { lookup(url: UnsafeRawBufferPointer($0), request: request) }
    }

    /// The same for a caller who has the URL's text at hand and the rest of the request only if need be: `request` is
    /// evaluated when a key hook or a `Vary` asks for it.
    public func lookup(url: UnsafeRawBufferPointer, request: @autoclosure () -> HTTPRequest) -> StoredResponse? {
        guard keyHook == nil else { return lookupByKey(of: request()) }
        let found = try? CanonicalURL.withBytes(of: url) { key in tiers.lookup(key, hash: tiers.hasher.hash(key)) }
        guard let (entry, tier) = found ?? nil, let head = entry.withMetadata({ StoredMetadata.head($0) }) else {
            return nil
        }
        guard head.kind == .response else { return lookupByKey(of: request()) }
        return StoredResponse(entry: entry, tier: tier, facts: head.facts)
    }

    /// The same, for a caller who keeps a handout with the entries in memory (`StoredEntry.keepHandout`).
    public func lookupHandout(url: UnsafeRawBufferPointer, request: @autoclosure () -> HTTPRequest) -> StoredHit? {
        guard keyHook == nil else { return lookupByKey(of: request()).map { .response($0) } }
        let found = try? CanonicalURL.withBytes(of: url) { key in
            tiers.lookupHandout(key, hash: tiers.hasher.hash(key))
        }
        switch found ?? nil {
        case nil: return nil
        // Kept with responses alone.
        case (.handout(let handout), _)?: return .handout(handout)
        case (.entry(let entry), let tier)?:
            guard let head = entry.withMetadata({ StoredMetadata.head($0) }) else { return nil }
            guard head.kind == .response else { return lookupByKey(of: request()).map { .response($0) } }
            return .response(StoredResponse(entry: entry, tier: tier, facts: head.facts))
        }
    }

    /// Stores a response for a request in place of what was stored for it.
    ///
    /// Whether its headers allow storing is not asked here: see `Storability`.
    ///
    /// - Parameters:
    ///   - body: copied.
    ///   - applicationData: kept beside the body and handed out with it.
    ///   - policy: which tiers may hold it.
    ///   - requestTime: when the request was sent, seconds since 1970.
    ///   - responseTime: when the response came, seconds since 1970.
    ///   - storedAt: now, in the unit in which `removeAll(since:)` is asked.
    ///   - attachment: see `StoredEntry.attach`.
    @discardableResult
    public func store(
        _ response: HTTPResponse, for request: HTTPRequest, body: UnsafeRawBufferPointer, applicationData: [UInt8] = [],
        policy: StoragePolicy = .allowed, requestTime: Int64, responseTime: Int64, storedAt: Int64,
        attachment: (any AnyObject & Sendable)? = nil
    ) -> StoreOutcome {
        let key: ResponseKey
        switch ResponseKey.make(request, keyHook) {
        case .success(let made): key = made
        case .failure(let refusal): return .refusedURL(refusal)
        }
        let values = ResponseValues(response, responseTime: responseTime)
        let selection = VarySelection(response.headerFields["Vary"])
        // A part says nothing about the whole that is stored; an interim status nothing at all.
        guard StatusRules.isFinal(response.status), response.status != 206 else { return .neverAnswers }
        guard !selection.matchesNothing else {
            _ = try? remove(key.primary)
            return .neverAnswers
        }
        let metadata = StoredMetadata.encode(
            .response, facts: StoredFacts(values, requestTime: requestTime, responseTime: responseTime),
            fields: StoredFields.storable(response.headerFields), applicationData: applicationData)
        let bytes =
            selection.isEmpty
            ? key.primary
            : key.variant(
                selection, of: request,
                in: currentIndex(
                    key, selection, values, IndexStamp(policy: policy, responseTime: responseTime, storedAt: storedAt)))
        let hash = bytes.withUnsafeBytes { tiers.hasher.hash($0) }
        let entry = StoredEntry(
            key: bytes.span.bytes, hash: hash, metadata: metadata.span.bytes, body: RawSpan(_unsafeBytes: body),
            storedAt: storedAt, policy: policy)
        guard let entry else { return .tooLong }
        if let attachment { entry.attach(attachment) }
        return .stored(tiers.store(entry))
    }

    /// Removes what is stored for the request's URL, all its variants included.
    ///
    /// - Returns: whether there was anything.
    /// - Throws: when the removal could not be written to disk; see `DiskTier.remove`.
    @discardableResult
    public func remove(_ request: HTTPRequest) throws(DiskTierError) -> Bool {
        guard case .success(let key) = ResponseKey.make(request, keyHook) else { return false }
        return try remove(key.primary)
    }

    private func remove(_ key: [UInt8]) throws(DiskTierError) -> Bool {
        let removed = key.withUnsafeBytes { bytes in
            Result { () throws(DiskTierError) in try tiers.remove(bytes, hash: tiers.hasher.hash(bytes)) }
        }
        return try removed.get()
    }
}

/// What became of a response that was given to the store.
public enum StoreOutcome: Sendable {
    /// The tiers took it, as far as they say.
    case stored(TwoTierStoreResult)
    /// It can never answer a request: a 206, no final status, or `Vary: *`, which takes the place of what was stored.
    case neverAnswers
    /// Key, fields or body are longer than 2 GiB.
    case tooLong
    /// Its URL can be no key.
    case refusedURL(URLRefusal)
}

/// What a store hands out for a hit.
public enum StoredHit {
    /// The response.
    case response(StoredResponse)
    /// What is kept for it; see `StoredEntry.keepHandout`.
    case handout(AnyObject)
}
