import CacheTiers
import HTTPSemantics

/// A response from the store. Its facts are at hand, its fields are decoded on demand, and its body is lent without a
/// copy.
///
/// It keeps the entry's memory alive after the entry is evicted.
public struct StoredResponse: Sendable {
    /// The entry in the tiers.
    public let entry: StoredEntry
    /// The tier where it was found.
    public let tier: CacheTier
    /// The facts by which its freshness is judged.
    public let facts: StoredFacts

    /// The status code.
    @inlinable public var status: Int { Int(facts.status) }

    /// Status and fields as stored. Every call decodes them again, with one allocation for each field.
    package var response: HTTPResponse {
        HTTPResponse(status: status, headerFields: entry.withMetadata { StoredMetadata.fields($0) })
    }

    /// The data the application stored beside the response; may be empty. Copied on every call.
    package var applicationData: [UInt8] { entry.withMetadata { StoredMetadata.applicationData($0) } }

    /// Lends the body's bytes without a copy; see `StoredEntry.withBody`.
    @inlinable
    public func withBody<Result>(_ read: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try entry.withBody(read)
    }
}

extension StoredResponse {
    /// The response in a tier's entry; `nil` if the entry is an index of variants, or its head is damaged.
    package init?(_ entry: StoredEntry, in tier: CacheTier) {
        guard let head = entry.withMetadata({ StoredMetadata.head($0) }), head.kind == .response else { return nil }
        self.init(entry: entry, tier: tier, facts: head.facts)
    }

    /// Whether the two have the same body and validators. Other fields may differ, because a confirmation changes them.
    package func isSameRepresentation(as other: StoredResponse) -> Bool {
        guard status == other.status, entry.bodyCount == other.entry.bodyCount else { return false }
        let (fields, otherFields) = (response.headerFields, other.response.headerFields)
        guard fields["ETag"] == otherFields["ETag"], fields["Last-Modified"] == otherFields["Last-Modified"] else {
            return false
        }
        return withBody { body in other.withBody { $0.elementsEqual(body) } }
    }
}

extension StoredResponse {
    /// A response that an application's storage found outside a `ResponseStore`; its tier is `memory`. `nil` if a part
    /// of it is longer than 2 GiB.
    ///
    /// - Parameters:
    ///   - body: copied.
    ///   - receivedAt: when the response came, seconds since 1970; no time on the way is added to its age.
    ///   - policy: the tiers that may hold it when it is stored again.
    package init?(
        _ response: HTTPResponse, body: [UInt8], receivedAt: Int64, applicationData: [UInt8] = [],
        policy: StoragePolicy = .allowed
    ) {
        let values = ResponseValues(response, responseTime: receivedAt)
        let facts = StoredFacts(values, requestTime: receivedAt, responseTime: receivedAt)
        let metadata = StoredMetadata.Content(
            facts: facts, fields: StoredFields.storable(response.headerFields), applicationData: applicationData)
        // The entry is never in a tier, so it needs no key.
        let entry = body.withUnsafeBytes { body in
            StoredEntry(
                key: UnsafeRawBufferPointer(start: nil, count: 0), hash: KeyHash(low: 0, high: 0), metadata: metadata,
                body: body, storedAt: CacheTime(seconds: receivedAt).microseconds, policy: policy)
        }
        guard let entry else { return nil }
        self.init(entry: entry, tier: .memory, facts: facts)
    }
}
