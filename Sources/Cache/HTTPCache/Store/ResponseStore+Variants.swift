import CacheTiers
import HTTPSemantics

/// Variants of one URL, selected by the request fields that `Vary` names (RFC 9111, section 4.1).
///
/// The URL's own key leads to an index: the names, and the generation that is part of every variant's key. A lookup that
/// finds an index makes a second lookup for the variant.
extension ResponseStore {
    /// An entry and what its metadata says.
    struct Found {
        let head: StoredMetadata.Head
        let response: StoredResponse
    }

    /// The entry under `key`; `nil` if its metadata is damaged.
    func find(_ key: UnsafeRawBufferPointer, _ release: TwoTierCache.Release = .atOnce) -> Found? {
        guard let (entry, tier) = tiers.lookup(key, hash: tiers.hasher.hash(key), release),
            let head = entry.withMetadata({ StoredMetadata.head($0) })
        else { return nil }
        return Found(head: head, response: StoredResponse(entry: entry, tier: tier, facts: head.facts))
    }

    /// A lookup that makes the key as an array, and looks for the variant if it finds an index.
    func lookupByKey(of request: HTTPRequest, _ release: TwoTierCache.Release = .atOnce) -> StoredResponse? {
        guard case .success(let key) = ResponseKey.make(request, keyHook),
            let found = key.primary.withUnsafeBytes({ find($0, release) })
        else { return nil }
        guard found.head.kind == .variantIndex else { return found.head.kind == .response ? found.response : nil }
        let selection = Self.selection(found.response)
        let variant = key.variant(selection, of: request, in: found.head.generation)
        guard let answer = variant.withUnsafeBytes({ find($0, release) }), answer.head.kind == .response else {
            return nil
        }
        // Without its index, which is read from memory here, the variant would be lost.
        if answer.response.tier == .disk { _ = isOnDisk(found.response) }
        return answer.response
    }

    /// The generation under which a variant is stored: that of the present index if it names the same fields, else that of
    /// a new index, which this stores.
    ///
    /// An index that is in memory only is stored again for a variant that may be on disk, where it reveals no more than that
    /// variant does: it was not allowed there, or the disk has overwritten it since.
    ///
    /// Part of a change of the URL; see `changingURL`.
    func currentIndex(
        _ key: ResponseKey, _ selection: VarySelection, _ values: ResponseValues, _ stamp: IndexStamp
    ) -> UInt64 {
        var generation = UInt64.random(in: .min ... .max)
        var storedAt = stamp.storedAt
        if let found = key.primary.withUnsafeBytes({ find($0, .later) }), found.head.kind == .variantIndex,
            Self.selection(found.response) == selection
        {
            generation = found.head.generation
            let isAllowedThere = found.response.entry.policy == .allowed
            if stamp.policy != .allowed || isAllowedThere && isOnDisk(found.response) { return generation }
            // It leads to variants of that time, too.
            storedAt = min(storedAt, found.response.entry.storedAt)
        }
        let metadata = StoredMetadata.encode(
            .variantIndex,
            facts: StoredFacts(values, requestTime: stamp.responseTime, responseTime: stamp.responseTime),
            fields: ["Vary": selection.names.joined(separator: ",")], generation: generation)
        let entry = key.primary.withUnsafeBytes { bytes in
            StoredEntry(
                key: RawSpan(_unsafeBytes: bytes), hash: tiers.hasher.hash(bytes),
                metadata: ContiguousArray(metadata).span.bytes,
                body: RawSpan(), storedAt: storedAt, policy: stamp.policy)
        }
        if let entry { tiers.store(entry, .later) }
        return generation
    }

    /// Whether the disk tier has it, or is not asked to. It counts as used there from now on.
    private func isOnDisk(_ stored: StoredResponse) -> Bool {
        stored.tier == .disk || tiers.disk?.keeps(stored.entry.hash) ?? true
    }

    /// The key of a URL's response or of the index of its variants; `nil` if the URL cannot be a key.
    func primaryKey(of request: HTTPRequest) -> [UInt8]? {
        guard case .success(let key) = ResponseKey.make(request, keyHook) else { return nil }
        return key.primary
    }

    /// Whether variants are stored for a URL.
    func hasVariants(under primaryKey: [UInt8]) -> Bool {
        primaryKey.withUnsafeBytes { find($0) }?.head.kind == .variantIndex
    }

    /// The properties that an index takes over from the variant with which it is stored.
    struct IndexStamp {
        let policy: StoragePolicy
        let responseTime: Int64
        let storedAt: Int64
    }

    private static func selection(_ index: StoredResponse) -> VarySelection {
        VarySelection(index.response.headerFields["Vary"])
    }
}

/// The requests that a response answers: those that agree with the request it was sent for in every field that `Vary`
/// names (RFC 9111, section 4.1).
struct VaryMatch: Sendable {
    let selection: VarySelection
    private let variant: [UInt8]?

    init(_ selection: VarySelection, of request: HTTPRequest) {
        self.selection = selection
        variant = selection.variantKey(of: request.headerFields)
    }

    func contains(_ request: HTTPRequest) -> Bool {
        guard let variant else { return false }
        return selection.variantKey(of: request.headerFields) == variant
    }

    /// Every request that `other` answers, or any at all where that is `nil`, is answered by this one.
    func covers(_ other: VaryMatch?) -> Bool {
        selection.isEmpty || other.map { selection == $0.selection && variant == $0.variant } ?? false
    }

    /// The two are different variants of one list of names, so that neither takes the other's place in a store.
    func isDisjoint(from other: VaryMatch) -> Bool { selection == other.selection && variant != other.variant }
}
