import CacheTiers
import HTTPSemantics

/// Several representations of one URL, told apart by the request fields that `Vary` names (RFC 9111, section 4.1).
///
/// Under the URL's own key stands an index: the names, and the generation that is part of every variant's key. A lookup
/// that finds it looks once more.
extension ResponseStore {
    /// An entry and what its metadata says.
    struct Found {
        let head: StoredMetadata.Head
        let response: StoredResponse
    }

    /// The entry under `key`, unless its metadata does not add up.
    func find(_ key: UnsafeRawBufferPointer) -> Found? {
        guard let (entry, tier) = tiers.lookup(key, hash: tiers.hasher.hash(key)),
            let head = entry.withMetadata({ StoredMetadata.head($0) })
        else { return nil }
        return Found(head: head, response: StoredResponse(entry: entry, tier: tier, facts: head.facts))
    }

    /// The long way: the key is made as bytes of its own, and a variant is looked for when there is an index.
    func lookupByKey(of request: HTTPRequest) -> StoredResponse? {
        guard case .success(let key) = ResponseKey.make(request, keyHook),
            let found = key.primary.withUnsafeBytes({ find($0) })
        else { return nil }
        guard found.head.kind == .variantIndex else { return found.response }
        let selection = Self.selection(found.response)
        let variant = key.variant(selection, of: request, in: found.head.generation)
        guard let answer = variant.withUnsafeBytes({ find($0) }), answer.head.kind == .response else { return nil }
        return answer.response
    }

    /// The generation under which a response's variant is stored: that of the index when it names the same fields, else
    /// that of a new index, which this stores.
    func currentIndex(
        _ key: ResponseKey, _ selection: VarySelection, _ values: ResponseValues, _ stamp: IndexStamp
    ) -> UInt64 {
        if let found = key.primary.withUnsafeBytes({ find($0) }), found.head.kind == .variantIndex,
            Self.selection(found.response) == selection, found.response.entry.policy == stamp.policy
        {
            return found.head.generation
        }
        let generation = UInt64.random(in: .min ... .max)
        let metadata = StoredMetadata.encode(
            .variantIndex,
            facts: StoredFacts(values, requestTime: stamp.responseTime, responseTime: stamp.responseTime),
            fields: ["Vary": selection.names.joined(separator: ",")], generation: generation)
        let entry = key.primary.withUnsafeBytes { bytes in
            StoredEntry(
                key: RawSpan(_unsafeBytes: bytes), hash: tiers.hasher.hash(bytes), metadata: metadata.span.bytes,
                body: RawSpan(), storedAt: stamp.storedAt, policy: stamp.policy)
        }
        if let entry { tiers.store(entry) }
        return generation
    }

    /// The key under which a URL's response, or the index of its variants, stands; `nil` when the URL can be no key.
    func primaryKey(of request: HTTPRequest) -> [UInt8]? {
        guard case .success(let key) = ResponseKey.make(request, keyHook) else { return nil }
        return key.primary
    }

    /// What tells the variants of a URL apart; `nil` when none are stored.
    func variantSelection(under primaryKey: [UInt8]) -> VarySelection? {
        guard let found = primaryKey.withUnsafeBytes({ find($0) }), found.head.kind == .variantIndex else { return nil }
        return Self.selection(found.response)
    }

    /// What an index takes over from the variant for whose sake it is stored.
    struct IndexStamp {
        let policy: StoragePolicy
        let responseTime: Int64
        let storedAt: Int64
    }

    private static func selection(_ index: StoredResponse) -> VarySelection {
        VarySelection(index.response.headerFields["Vary"])
    }
}
