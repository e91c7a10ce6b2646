import CacheTiers
import HTTPSemantics

/// Parts of representations (RFC 9111, sections 3.3 and 3.4). A URL has one entry for parts beside the entry of its
/// response. Parts answer ranges inside them; once complete, they are a response.
extension ResponseStore {
    /// Adds a part, whose first bytes are `bytes`, to those stored for the URL. Replaces them if they belong to another
    /// representation. A part that was overtaken adds nothing.
    ///
    /// - Returns: the whole representation once no byte is missing; its parts are then no longer stored.
    func add(
        _ part: PartialResponse, _ bytes: [UInt8], for request: HTTPRequest, times: StoringTimes, policy: StoragePolicy
    ) -> ResponseToStore? {
        let selection = VarySelection(part.fields["Vary"])
        guard let key = try? ResponseKey.make(request, keyHook),
            let variant = selection.variantKey(of: request.headerFields)
        else { return nil }
        return changingURL(key) { _ in
            guard times.moment.map({ order.admits($0, key.primary, VaryMatch(selection, of: request)) }) ?? true else {
                return nil
            }
            return add(part, bytes, key, variant, times, policy)
        }
    }

    private func add(
        _ part: PartialResponse, _ bytes: [UInt8], _ key: ResponseKey, _ variant: [UInt8], _ times: StoringTimes,
        _ policy: StoragePolicy
    ) -> ResponseToStore? {
        let known = parts(key, .later).flatMap { $0.stored.applicationData == variant ? $0 : nil }
        var fields = part.fields
        var parts = known?.parts
        if let known, let parts, parts.length == part.length,
            let combined = part.fields(combinedWith: known.fields, responseTime: known.receivedAt)
        {
            fields = combined
        } else {
            parts = RepresentationParts(length: part.length)
        }
        noteParts()
        guard var parts, parts.add(bytes, at: part.offset) else { return nil }
        if let whole = parts.whole {
            removeParts(of: key)
            fields["Content-Length"] = String(whole.count)
            return ResponseToStore(HTTPResponse(headerFields: fields), body: whole)
        }
        store(parts, fields, key, variant, times, policy)
        return nil
    }

    struct KnownParts {
        let parts: RepresentationParts
        let fields: HTTPFields
        let receivedAt: Int64
        /// The entry. Its body is the parts in encoded form.
        let stored: StoredResponse
    }

    /// The parts stored for a request's URL; `nil` on a miss, or if they belong to a representation for other requests.
    func parts(for request: HTTPRequest) -> KnownParts? {
        guard mayHoldParts, let key = try? ResponseKey.make(request, keyHook) else { return nil }
        return parts(key, for: request, .now)
    }

    /// Removes the parts stored for a request's URL if the answer to a HEAD tells of another representation (RFC 9111,
    /// section 4.3.5).
    func removeParts(for request: HTTPRequest, outdatedBy head: HTTPResponse, _ times: StoringTimes) {
        guard mayHoldParts, let key = try? ResponseKey.make(request, keyHook) else { return }
        changingURL(key) { _ in
            // Of parts that came after the HEAD was sent the answer says nothing.
            guard let known = parts(key, for: request, .later), known.receivedAt <= times.request,
                case .changed = HeadUpdate.decide(
                    known.fields, bodyCount: known.parts.length, head: head.headerFields, status: head.status)
            else { return }
            removeParts(of: key)
        }
    }

    private func parts(
        _ key: ResponseKey, for request: HTTPRequest, _ timing: ReleaseTiming
    ) -> KnownParts? {
        guard let known = parts(key, timing),
            let variant = VarySelection(known.fields["Vary"]).variantKey(of: request.headerFields),
            known.stored.applicationData == variant
        else { return nil }
        return known
    }

    private func parts(_ key: ResponseKey, _ timing: ReleaseTiming) -> KnownParts? {
        guard let found = key.parts.withUnsafeBytes({ find($0, timing) }), found.head.kind == .parts,
            let parts = found.response.withBody({ RepresentationParts(decoding: $0) })
        else { return nil }
        return KnownParts(
            parts: parts, fields: found.response.response.headerFields, receivedAt: found.head.facts.receivedAt,
            stored: found.response)
    }

    /// Removes a URL's parts. Only inside `changingURL`.
    func removeParts(of key: ResponseKey) {
        key.parts.withUnsafeBytes { _ = try? tiers.remove($0, hash: tiers.hasher.hash($0), .later) }
    }

    private func store(
        _ parts: RepresentationParts, _ fields: HTTPFields, _ key: ResponseKey, _ variant: [UInt8],
        _ times: StoringTimes, _ policy: StoragePolicy
    ) {
        // The lifetime is that of the whole.
        let values = ResponseValues(HTTPResponse(headerFields: fields), responseTime: times.response)
        // Only now: without a `Date`, the moment of receipt has counted as it.
        var fields = fields
        StoredFields.addDate(to: &fields, receivedAt: times.response)
        let metadata = StoredMetadata.Content(
            kind: .parts, facts: StoredFacts(values, requestTime: times.request, responseTime: times.response),
            fields: StoredFields.storable(fields), applicationData: variant)
        let entry = key.parts.withUnsafeBytes { key in
            parts.encoded.withUnsafeBytes { body in
                StoredEntry(
                    key: key, hash: tiers.hasher.hash(key), metadata: metadata, body: body,
                    storedAt: times.stored.microseconds, policy: policy)
            }
        }
        if let entry { _ = tiers.store(entry, .later) }
    }
}
