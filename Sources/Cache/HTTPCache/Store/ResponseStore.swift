import CacheTiers
import HTTPSemantics
import Synchronization

/// The tiers as a store of HTTP responses, found by request.
///
/// Makes keys from the URL, the application's addition and the request fields that `Vary` names, and reads the metadata
/// of entries. It does not judge freshness, but returns the facts by which `Reuse` does.
///
/// It keeps the order of answers, whichever session fetched them (`AnswerOrder`): changes of one URL happen one after
/// the other, each together with the check that allows it. A lookup never waits for them.
package final class ResponseStore: Sendable {
    package let tiers: TwoTierCache
    package let order = AnswerOrder()
    let keyHook: KeyHook?
    /// Allows one change of a URL at a time. What a change evicts is released after unlocking (`ReleaseTiming`).
    private let changing = StripedLocks()
    private let holdsParts: Atomic<Bool>

    /// A store over `tiers`.
    ///
    /// - Parameter keyHook: called on every lookup and store; if set, each hit must convert its request.
    package init(tiers: TwoTierCache, keyHook: KeyHook? = nil) {
        self.tiers = tiers
        self.keyHook = keyHook
        holdsParts = Atomic(tiers.disk.map { $0.count > 0 } ?? false)
    }

    /// Whether parts may be stored: some were, or the disk holds what an earlier process left.
    var mayHoldParts: Bool { holdsParts.load(ordering: .relaxed) }

    func noteParts() { holdsParts.store(true, ordering: .relaxed) }

    /// The response stored for a request, fresh or not; `nil` on a miss, or if the URL cannot be a key.
    ///
    /// Ignores the method: the caller must exclude all but GET and HEAD.
    package func lookup(_ request: HTTPRequest) -> StoredResponse? {
        if ResponseKey.namesHost(request) { return lookupByKey(of: request) }
        var url = request.url
        return url.withUTF8 { lookup(url: UnsafeRawBufferPointer($0), request: request) }
    }

    /// The same, given the URL's text, for a request without a field `Host`. `request` is evaluated only for a key hook
    /// or a `Vary`.
    package func lookup(url: UnsafeRawBufferPointer, request: @autoclosure () -> HTTPRequest) -> StoredResponse? {
        guard keyHook == nil else { return lookupByKey(of: request()) }
        let found = try? CanonicalURL.withBytes(of: url) { key in tiers.lookup(key, hash: tiers.hasher.hash(key)) }
        guard let (entry, tier) = found ?? nil, let head = entry.withMetadata({ StoredMetadata.head($0) }) else {
            return nil
        }
        guard head.kind == .response else { return lookupByKey(of: request()) }
        return StoredResponse(entry: entry, tier: tier, facts: head.facts)
    }

    /// Like `lookup(url:request:)`, without `Host`, for a caller that keeps a handout with entries in memory
    /// (`StoredEntry.keepHandout`).
    ///
    /// A handout contains the URL it was made for, so it only serves the canonical spelling.
    package func lookupHandout(url: UnsafeRawBufferPointer, request: @autoclosure () -> HTTPRequest) -> StoredHit? {
        guard keyHook == nil else {
            return lookupByKey(of: request()).map { .entry($0.entry, $0.tier, takesHandout: false) }
        }
        var isCanonical = true
        let found = try? CanonicalURL.withBytes(of: url) { key -> (hit: MemoryHit, tier: CacheTier)? in
            isCanonical = key.count == url.count && key.baseAddress == url.baseAddress
            let hash = tiers.hasher.hash(key)
            if isCanonical { return tiers.lookupHandout(key, hash: hash) }
            return tiers.lookup(key, hash: hash).map { (.entry($0.entry), $0.tier) }
        }
        switch found ?? nil {
        case nil: return nil
        // Handouts are kept only with responses, not with indexes.
        case (.handout(let handout), _)?: return .handout(handout)
        case (.entry(let entry), let tier)?:
            guard let head = entry.withMetadata({ StoredMetadata.head($0) }) else { return nil }
            guard head.kind == .response else {
                return lookupByKey(of: request()).map { .entry($0.entry, $0.tier, takesHandout: false) }
            }
            return .entry(entry, tier, takesHandout: isCanonical)
        }
    }

    /// Stores a response in place of the one stored for the same request.
    ///
    /// Does not ask whether the headers allow that; see `Storability`.
    ///
    /// - Parameters:
    ///   - body: copied.
    ///   - applicationData: kept beside the body and returned with it.
    ///   - requestTime: when the request was sent, seconds since 1970.
    ///   - responseTime: when the response came, seconds since 1970.
    ///   - storedAt: now, in the unit of `removeAll(since:)`.
    ///   - moment: its place among other answers; `nil` if the application itself stores it now.
    ///   - confirmed: the stored response that it updates. If another one is stored, nothing changes.
    ///   - attachment: see `StoredEntry.attach`, and `StoredEntry.attachedCount` for its bytes.
    ///   - values: of the response received at `responseTime`, if already read.
    @discardableResult
    package func store(
        _ response: HTTPResponse, for request: HTTPRequest, body: UnsafeRawBufferPointer, applicationData: [UInt8] = [],
        policy: StoragePolicy = .allowed, requestTime: Int64, responseTime: Int64, storedAt: Int64,
        moment: AnswerMoment? = nil, confirming confirmed: StoredResponse? = nil,
        attachment: (any AnyObject & Sendable)? = nil, attachedCount: Int = 0, values: ResponseValues? = nil
    ) -> StoreOutcome {
        let key: ResponseKey
        do { key = try ResponseKey.make(request, keyHook) } catch { return .refusedURL(error) }
        let values = values ?? ResponseValues(response, responseTime: responseTime)
        guard Self.mayAnswer(response.status) else { return .neverAnswers }
        let selection = VarySelection(values.fields.vary == .nothing ? nil : response.headerFields["Vary"])
        let metadata = StoredMetadata.Content(
            facts: StoredFacts(values, requestTime: requestTime, responseTime: responseTime),
            fields: StoredFields.storable(response.headerFields), applicationData: applicationData)
        let stamp = IndexStamp(policy: policy, responseTime: responseTime, storedAt: storedAt)
        let moment = moment ?? order.present(CacheTime(microseconds: storedAt).seconds)
        let match = VaryMatch(selection, of: request)
        return changingURL(key) { (lookedUp: inout [StoredEntry]) -> StoreOutcome in
            guard order.admits(moment, key.primary, match) else {
                if confirmed == nil { removeOlder(than: moment, match, key, &lookedUp) }
                return .overtaken
            }
            if let confirmed, !isStored(confirmed, for: request, key, &lookedUp) { return .overtaken }
            order.noteAnswer(moment, key.primary, match)
            // Parts of what was stored before must not outlive it.
            if mayHoldParts { removeParts(of: key) }
            guard !selection.matchesNothing else {
                _ = try? removeEntries(key, &lookedUp)
                return .neverAnswers
            }
            let bytes =
                selection.isEmpty
                ? key.primary
                : key.variant(selection, of: request, in: currentIndex(key, selection, request, values, stamp))
            return bytes.withUnsafeBytes {
                put(
                    metadata, body: body, under: $0, hash: tiers.hasher.hash($0), storedAt: storedAt, policy: policy,
                    attachment, attachedCount)
            }
        }
    }

    /// Stores a response that the application has itself, under its URL alone: of all such stores the usual one.
    ///
    /// - Parameters:
    ///   - url: of the request, which has no field `Host`.
    ///   - values: of the response.
    ///   - lines: its field lines, all storable, as a `FieldLineWriter` has written them.
    ///   - seconds: when it was requested and came, seconds since 1970.
    ///   - storedAt: the same in the unit of `removeAll(since:)`.
    /// - Returns: `nil` if that doesn't do: there is a key hook or a `Vary`, or a fetch is under way. Then call `store`.
    package func storePlain(
        url: UnsafeRawBufferPointer, values: ResponseValues, lines: UnsafeRawBufferPointer,
        body: UnsafeRawBufferPointer, applicationData: [UInt8], policy: StoragePolicy, seconds: Int64, storedAt: Int64,
        attachment: (any AnyObject & Sendable)?, attachedCount: Int
    ) -> StoreOutcome? {
        guard keyHook == nil, values.fields.vary == .nothing, !order.isAnyUnderWay else { return nil }
        guard Self.mayAnswer(values.status) else { return .neverAnswers }
        let metadata = StoredMetadata.Content(
            facts: StoredFacts(values, requestTime: seconds, responseTime: seconds), lines: lines,
            applicationData: applicationData)
        do {
            return try CanonicalURL.withBytes(of: url) { key in
                let hash = tiers.hasher.hash(key)
                defer { tiers.releaseHeld() }
                return changing.withLock(hash) {
                    if mayHoldParts { removeParts(of: ResponseKey(primary: Array(key))) }
                    return put(
                        metadata, body: body, under: key, hash: hash, storedAt: storedAt, policy: policy, attachment,
                        attachedCount)
                }
            }
        } catch {
            return .refusedURL(error)
        }
    }

    /// A part, an interim answer, or one that is for its own request alone does not replace the stored response.
    private static func mayAnswer(_ status: Int) -> Bool {
        StatusRules.isFinal(status) && status != 206 && !StatusRules.isOfOneRequest(status)
    }

    /// Makes an entry and stores it, inside a change of its URL.
    private func put(
        _ metadata: StoredMetadata.Content, body: UnsafeRawBufferPointer, under key: UnsafeRawBufferPointer,
        hash: KeyHash, storedAt: Int64, policy: StoragePolicy, _ attachment: (any AnyObject & Sendable)?,
        _ attachedCount: Int
    ) -> StoreOutcome {
        let entry = StoredEntry(
            key: key, hash: hash, metadata: metadata, body: body, storedAt: storedAt, policy: policy,
            attachedCount: attachedCount)
        guard let entry else {
            _ = try? tiers.remove(key, hash: hash, .later)
            return .tooLong
        }
        if let attachment { entry.attach(attachment) }
        return .stored(tiers.store(entry, .later))
    }

    /// This answer may not be stored. But if it is the newest, nothing older may be found from now on.
    private func removeOlder(
        than moment: AnswerMoment, _ match: VaryMatch?, _ key: ResponseKey, _ lookedUp: inout [StoredEntry]
    ) {
        guard order.isNewest(moment, key.primary, match) else { return }
        order.noteAnswer(moment, key.primary, match)
        _ = try? removeEntries(key, &lookedUp)
    }

    /// Whether a response is the one stored for a request: the same representation, perhaps with other fields.
    private func isStored(
        _ response: StoredResponse, for request: HTTPRequest, _ key: ResponseKey, _ lookedUp: inout [StoredEntry]
    ) -> Bool {
        guard let found = lookup(key, for: request, .later) else { return false }
        lookedUp.append(found.entry)
        return found.isSameRepresentation(as: response)
    }

    // MARK: Removing

    /// Removes the response stored for the request's URL, with all its variants. What was sent to the origin before
    /// this returns is no longer stored for it.
    ///
    /// - Returns: whether one was stored.
    /// - Throws: if the removal could not be written to disk; see `DiskTier.remove`.
    @discardableResult
    package func remove(_ request: HTTPRequest) throws(DiskTierError) -> Bool {
        guard let key = try? ResponseKey.make(request, keyHook) else { return false }
        let removed = changingURL(key) { lookedUp in
            defer { order.noteRemoval(key.primary) }
            return Result { () throws(DiskTierError) in try removeEntries(key, &lookedUp) }
        }
        return try removed.get()
    }

    /// Removes what is stored for the request's URL, because an answer that is not stored shows it to be outdated. Does
    /// nothing if a later answer is stored. Answers to later requests may be stored.
    package func remove(_ request: HTTPRequest, supersededBy moment: AnswerMoment) {
        guard let key = try? ResponseKey.make(request, keyHook) else { return }
        changingURL(key) { removeOlder(than: moment, nil, key, &$0) }
    }

    /// Removes what is stored for the request and has expired, and no other variant. Answers under way may still be
    /// stored.
    package func removeExpired(_ request: HTTPRequest) {
        guard let key = try? ResponseKey.make(request, keyHook) else { return }
        changingURL(key) { lookedUp in
            guard let found = lookup(key, for: request, .later) else { return }
            lookedUp.append(found.entry)
            found.entry.withKey { _ = try? tiers.remove($0, hash: found.entry.hash, .later) }
        }
    }

    /// Removes everything. What was sent to an origin before this returns is no longer stored.
    ///
    /// - Throws: if the disk could not be written; see `TwoTierCache.removeAll`.
    package func removeAll() throws(DiskTierError) {
        defer { tiers.releaseHeld() }
        try changing.withAllLocks { () throws(DiskTierError) in
            defer { order.noteRemovalOfAll() }
            try tiers.removeAll(.later)
        }
    }

    /// Removes what was stored after `moment`, in the unit of `StoredEntry.storedAt`. What was sent to an origin before
    /// this returns is no longer stored.
    ///
    /// - Throws: if the disk could not be written; see `TwoTierCache.removeAll`.
    package func removeAll(since moment: Int64) throws(DiskTierError) {
        defer { tiers.releaseHeld() }
        try changing.withAllLocks { () throws(DiskTierError) in
            defer { order.noteRemovalOfAll() }
            try tiers.removeAll(since: moment, .later)
        }
    }

    // MARK: Order, for an application's storage in front of this one

    func admits(_ moment: AnswerMoment?, _ response: HTTPResponse, for request: HTTPRequest) -> Bool {
        guard let moment, let key = primaryKey(of: request) else { return true }
        return order.admits(moment, key, VaryMatch(VarySelection(response.headerFields["Vary"]), of: request))
    }

    /// Notes that an answer was stored; `false` if a later one or a removal came meanwhile.
    func settle(_ moment: AnswerMoment?, _ response: HTTPResponse, for request: HTTPRequest) -> Bool {
        guard let moment, let key = primaryKey(of: request) else { return true }
        return order.settle(moment, key, VaryMatch(VarySelection(response.headerFields["Vary"]), of: request))
    }

    /// Everything stored for the request's URL was removed elsewhere.
    func noteRemoval(_ request: HTTPRequest) { primaryKey(of: request).map(order.noteRemoval) }

    /// Runs a change of a URL while no other runs, then releases what it evicted.
    ///
    /// No code of the application's may run in it, neither a key hook nor a `deinit`: that could wait for a lock whose
    /// owner waits to change the store.
    ///
    /// - Parameter change: puts the entries it looks up into its argument. Another thread may evict one meanwhile, and
    ///   what is attached to it may use the store when it is released.
    func changingURL<Result>(_ key: ResponseKey, _ change: (inout [StoredEntry]) -> Result) -> Result {
        var lookedUp: [StoredEntry] = []
        defer { tiers.releaseHeld() }
        return changing.withLock(key.primary.withUnsafeBytes { tiers.hasher.hash($0) }) {
            change(&lookedUp)
        }
    }

    private func removeEntries(_ key: ResponseKey, _ lookedUp: inout [StoredEntry]) throws(DiskTierError) -> Bool {
        let present = key.primary.withUnsafeBytes { find($0, .later) }
        if let present { lookedUp.append(present.response.entry) }
        // Without the index nobody can find the variants, but they would still take room.
        defer { removeVariants(of: key, present) }
        // First, because an error in removing the response must be reported.
        removeParts(of: key)
        let removed = key.primary.withUnsafeBytes { bytes in
            Result { () throws(DiskTierError) in try tiers.remove(bytes, hash: tiers.hasher.hash(bytes), .later) }
        }
        return try removed.get()
    }
}

package enum StoreOutcome: Sendable {
    case stored(TwoTierStoreResult)
    /// It can never answer a request: the status is 206, not final or of one request (`StatusRules.isOfOneRequest`), or
    /// it has `Vary: *`, which also removes the response stored before.
    case neverAnswers
    /// Key, fields or body are longer than 2 GiB.
    case tooLong
    /// A later answer or a removal came before it, or the response it confirms is no longer stored.
    case overtaken
    case refusedURL(URLRefusal)
}

package enum StoredHit {
    /// A response's entry, the tier where it was found, and whether an object may be kept with it. No `StoredResponse`:
    /// Swift copies a larger value here by a table of functions, which took an eighth of a hit on disk.
    case entry(StoredEntry, CacheTier, takesHandout: Bool)
    /// The object kept with the entry; see `StoredEntry.keepHandout`.
    case handout(AnyObject)
}
