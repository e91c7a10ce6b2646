import CacheTiers
import HTTPSemantics

/// Variants of one URL, selected by the request fields that `Vary` names (RFC 9111, section 4.1).
///
/// The URL's own key leads to an index: the names, and the generation that is part of every variant's key. If a lookup
/// finds an index, it looks up the variant next.
extension ResponseStore {
    struct Found {
        let head: StoredMetadata.Head
        let response: StoredResponse
    }

    /// The entry under `key`; `nil` if its metadata is damaged.
    func find(_ key: UnsafeRawBufferPointer, _ timing: ReleaseTiming = .now) -> Found? {
        guard let (entry, tier) = tiers.lookup(key, hash: tiers.hasher.hash(key), timing),
            let head = entry.withMetadata({ StoredMetadata.head($0) })
        else { return nil }
        return Found(head: head, response: StoredResponse(entry: entry, tier: tier, facts: head.facts))
    }

    /// Looks up with the key as an array.
    func lookupByKey(of request: HTTPRequest) -> StoredResponse? {
        guard let key = try? ResponseKey.make(request, keyHook) else { return nil }
        return lookup(key, for: request, .now)
    }

    /// Looks up a request with its key. If it finds an index, looks up the variant.
    ///
    /// Inside `changingURL` the key is the one that was made before: the application's key hook must not run there.
    func lookup(_ key: ResponseKey, for request: HTTPRequest, _ timing: ReleaseTiming) -> StoredResponse? {
        guard let found = key.primary.withUnsafeBytes({ find($0, timing) }) else { return nil }
        guard found.head.kind == .variantIndex else { return found.head.kind == .response ? found.response : nil }
        let selection = Self.selection(found.response)
        let variant = key.variant(selection, of: request, in: found.head.generation)
        guard let answer = variant.withUnsafeBytes({ find($0, timing) }), answer.head.kind == .response else {
            return nil
        }
        // Counts the index, found in memory, as used on disk, too: without it the variant would be lost.
        if answer.response.tier == .disk { _ = isOnDisk(found.response) }
        return answer.response
    }

    /// The generation to store a variant under: the present index's if it has the same names, else that of a new index,
    /// which this stores.
    ///
    /// The present index is stored again where
    /// - the variant may be on disk, and the index was only allowed in memory; on disk it reveals no more than the
    ///   variant does;
    /// - the variant may be on disk, and the index has been overwritten there since;
    /// - it doesn't list the variant.
    ///
    /// Only inside `changingURL`.
    func currentIndex(
        _ key: ResponseKey, _ selection: VarySelection, _ request: HTTPRequest, _ values: ResponseValues,
        _ stamp: IndexStamp
    ) -> UInt64 {
        var stamp = stamp
        let variant = selection.variantKey(of: request.headerFields) ?? []
        var variants = VariantList(variant)
        var generation = UInt64.random(in: .min ... .max)
        var storedAt = stamp.storedAt
        if let found = key.primary.withUnsafeBytes({ find($0, .later) }), found.head.kind == .variantIndex,
            Self.selection(found.response) == selection
        {
            generation = found.head.generation
            let policy = found.response.entry.policy
            let known = found.response.entry.withBody { VariantList($0) }
            // On disk it names no variant that may be in memory only.
            variants = policy == stamp.policy ? known.adding(variant) : .incomplete
            let isThere = stamp.policy != .allowed || policy == .allowed && isOnDisk(found.response)
            if stamp.policy == .notAllowed || isThere && variants == known { return generation }
            if policy == .allowed { stamp.policy = .allowed }
            // It also leads to variants of that time.
            storedAt = min(storedAt, found.response.entry.storedAt)
        }
        let metadata = StoredMetadata.Content(
            kind: .variantIndex,
            facts: StoredFacts(values, requestTime: stamp.responseTime, responseTime: stamp.responseTime),
            fields: ["Vary": selection.names.joined(separator: ",")], generation: generation)
        let entry = key.primary.withUnsafeBytes { bytes in
            variants.bytes.withUnsafeBytes {
                StoredEntry(
                    key: bytes, hash: tiers.hasher.hash(bytes), metadata: metadata, body: $0, storedAt: storedAt,
                    policy: stamp.policy)
            }
        }
        if let entry { tiers.store(entry, .later) }
        return generation
    }

    /// Whether the disk tier has it, or is not asked to. Counts as a use there.
    private func isOnDisk(_ stored: StoredResponse) -> Bool {
        stored.tier == .disk || tiers.disk?.keeps(stored.entry.hash) ?? true
    }

    /// The key of a URL's response or of the index of its variants; `nil` if the URL cannot be a key.
    func primaryKey(of request: HTTPRequest) -> [UInt8]? {
        guard let key = try? ResponseKey.make(request, keyHook) else { return nil }
        return key.primary
    }

    func hasVariants(under primaryKey: [UInt8]) -> Bool {
        primaryKey.withUnsafeBytes { find($0) }?.head.kind == .variantIndex
    }

    /// Removes the variants of an index that was removed. Only inside `changingURL`.
    ///
    /// - Complexity: linear in the variants that the index lists; if they aren't all, or if removals erase, in the
    ///   entries of both tiers.
    func removeVariants(of key: ResponseKey, _ removed: Found?) {
        let index = removed?.head.kind == .variantIndex ? removed : nil
        if !tiers.erasesRemoved {
            guard let index else { return }
            if let variants = index.response.entry.withBody({ VariantList($0) }).variants {
                for variant in variants {
                    key.variant(variant, in: index.head.generation).withUnsafeBytes {
                        _ = try? tiers.remove($0, hash: tiers.hasher.hash($0), .later)
                    }
                }
                return
            }
        }
        let prefix = key.primary + [0, KeySuffix.vary.rawValue]
        prefix.withUnsafeBytes { _ = try? tiers.removeAll(withPrefix: $0, .later) }
    }

    /// What an index takes over from the variant with which it is stored.
    struct IndexStamp {
        var policy: StoragePolicy
        let responseTime: Int64
        let storedAt: Int64
    }

    private static func selection(_ index: StoredResponse) -> VarySelection {
        VarySelection(index.response.headerFields["Vary"])
    }
}

/// The requests that a response answers: those that agree with the one it was sent for in every field that `Vary` names
/// (RFC 9111, section 4.1).
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

    /// Whether this one answers every request that `other` answers; `nil` stands for all requests.
    func covers(_ other: VaryMatch?) -> Bool {
        selection.isEmpty || other.map { selection == $0.selection && variant == $0.variant } ?? false
    }

    /// The two are different variants under the same names, so neither replaces the other in a store.
    func isDisjoint(from other: VaryMatch) -> Bool { selection == other.selection && variant != other.variant }
}
