import CacheTiers
import HTTPSemantics

/// The tiers, seen as a store of HTTP responses by request.
///
/// Makes keys from the URL, the application's addition and the request fields that `Vary` names, and reads the metadata of
/// entries. It does not judge freshness: it returns the facts by which `Reuse` decides.
package final class ResponseStore: Sendable {
    /// The tiers that hold the entries.
    package let tiers: TwoTierCache
    let keyHook: KeyHook?

    /// A store over `tiers`.
    ///
    /// - Parameter keyHook: called on every lookup and store; if set, each hit has to convert its request.
    package init(tiers: TwoTierCache, keyHook: KeyHook? = nil) {
        self.tiers = tiers
        self.keyHook = keyHook
    }

    /// The response stored for a request, fresh or not; `nil` on a miss, or if the URL cannot be a key.
    ///
    /// The method is ignored: the caller has to exclude methods other than GET and HEAD.
    package func lookup(_ request: HTTPRequest) -> StoredResponse? {
        var url = request.url
        return url.withUTF8 { lookup(url: UnsafeRawBufferPointer($0), request: request) }
    }

    /// As `lookup(_:)`, given the URL's text. `request` is evaluated only for a key hook or a `Vary`.
    package func lookup(url: UnsafeRawBufferPointer, request: @autoclosure () -> HTTPRequest) -> StoredResponse? {
        guard keyHook == nil else { return lookupByKey(of: request()) }
        let found = try? CanonicalURL.withBytes(of: url) { key in tiers.lookup(key, hash: tiers.hasher.hash(key)) }
        guard let (entry, tier) = found ?? nil, let head = entry.withMetadata({ StoredMetadata.head($0) }) else {
            return nil
        }
        guard head.kind == .response else { return lookupByKey(of: request()) }
        return StoredResponse(entry: entry, tier: tier, facts: head.facts)
    }

    /// As `lookup(url:request:)`, for a caller that keeps a handout with entries in memory (`StoredEntry.keepHandout`).
    ///
    /// A handout holds the URL for which it was made, so that it is for the canonical spelling alone.
    package func lookupHandout(url: UnsafeRawBufferPointer, request: @autoclosure () -> HTTPRequest) -> StoredHit? {
        guard keyHook == nil else { return lookupByKey(of: request()).map { .response($0, takesHandout: false) } }
        var isCanonical = true
        let found = try? CanonicalURL.withBytes(of: url) { key -> (hit: MemoryHit, tier: CacheTier)? in
            isCanonical = key.count == url.count && key.baseAddress == url.baseAddress
            let hash = tiers.hasher.hash(key)
            if isCanonical { return tiers.lookupHandout(key, hash: hash) }
            return tiers.lookup(key, hash: hash).map { (.entry($0.entry), $0.tier) }
        }
        switch found ?? nil {
        case nil: return nil
        // Handouts are kept with responses only, not with indexes.
        case (.handout(let handout), _)?: return .handout(handout)
        case (.entry(let entry), let tier)?:
            guard let head = entry.withMetadata({ StoredMetadata.head($0) }) else { return nil }
            guard head.kind == .response else {
                return lookupByKey(of: request()).map { .response($0, takesHandout: false) }
            }
            return .response(StoredResponse(entry: entry, tier: tier, facts: head.facts), takesHandout: isCanonical)
        }
    }

    /// Stores a response in place of the one stored for the same request.
    ///
    /// Whether the headers allow storing is for the caller to ask; see `Storability`.
    ///
    /// - Parameters:
    ///   - body: copied.
    ///   - applicationData: kept beside the body and returned with it.
    ///   - policy: the tiers that may hold it.
    ///   - requestTime: when the request was sent, seconds since 1970.
    ///   - responseTime: when the response came, seconds since 1970.
    ///   - storedAt: now, in the unit of `removeAll(since:)`.
    ///   - attachment: see `StoredEntry.attach`.
    ///   - values: of the response, received at `responseTime`, where they were read already.
    @discardableResult
    package func store(
        _ response: HTTPResponse, for request: HTTPRequest, body: UnsafeRawBufferPointer, applicationData: [UInt8] = [],
        policy: StoragePolicy = .allowed, requestTime: Int64, responseTime: Int64, storedAt: Int64,
        attachment: (any AnyObject & Sendable)? = nil, values: ResponseValues? = nil
    ) -> StoreOutcome {
        let key: ResponseKey
        switch ResponseKey.make(request, keyHook) {
        case .success(let made): key = made
        case .failure(let refusal): return .refusedURL(refusal)
        }
        let values = values ?? ResponseValues(response, responseTime: responseTime)
        let selection = VarySelection(response.headerFields["Vary"])
        // Neither a part, an interim answer nor one to a condition or range replaces the stored response.
        guard StatusRules.isFinal(response.status), ![206, 412, 416].contains(response.status) else {
            return .neverAnswers
        }
        guard !selection.matchesNothing else {
            _ = try? remove(key)
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
        guard let entry else {
            bytes.withUnsafeBytes { _ = try? tiers.remove($0, hash: hash) }
            return .tooLong
        }
        if let attachment { entry.attach(attachment) }
        return .stored(tiers.store(entry))
    }

    /// Removes the response stored for the request's URL, with all its variants.
    ///
    /// - Returns: whether one was stored.
    /// - Throws: if the removal could not be written to disk; see `DiskTier.remove`.
    @discardableResult
    package func remove(_ request: HTTPRequest) throws(DiskTierError) -> Bool {
        guard case .success(let key) = ResponseKey.make(request, keyHook) else { return false }
        return try remove(key)
    }

    private func remove(_ key: ResponseKey) throws(DiskTierError) -> Bool {
        // Without their index the variants cannot be found, but they would still take room.
        let hasVariants = key.primary.withUnsafeBytes { find($0) }?.head.kind == .variantIndex
        defer { if hasVariants || tiers.erasesRemoved { removeVariants(of: key) } }
        // First, since an error in the removal of the response is to be reported.
        key.parts.withUnsafeBytes { _ = try? tiers.remove($0, hash: tiers.hasher.hash($0)) }
        let removed = key.primary.withUnsafeBytes { bytes in
            Result { () throws(DiskTierError) in try tiers.remove(bytes, hash: tiers.hasher.hash(bytes)) }
        }
        return try removed.get()
    }

    private func removeVariants(of key: ResponseKey) {
        let prefix = key.primary + [0, KeySuffix.vary.rawValue]
        prefix.withUnsafeBytes { _ = try? tiers.removeAll(withPrefix: $0) }
    }
}

/// The result of storing a response.
package enum StoreOutcome: Sendable {
    /// It was passed to the tiers, with this result.
    case stored(TwoTierStoreResult)
    /// It can never answer a request: the status is 206, 412, 416 or not final, or it has `Vary: *`, which also removes the response
    /// stored before.
    case neverAnswers
    /// Key, fields or body are longer than 2 GiB.
    case tooLong
    /// The URL cannot be a key.
    case refusedURL(URLRefusal)
}

/// A hit in the store.
package enum StoredHit {
    /// The response, and whether an object may be kept with its entry.
    case response(StoredResponse, takesHandout: Bool)
    /// The object kept with the entry; see `StoredEntry.keepHandout`.
    case handout(AnyObject)
}
