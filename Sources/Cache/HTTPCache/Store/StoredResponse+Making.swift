import CacheTiers
import HTTPSemantics

extension StoredResponse {
    /// A response that an application's storage found outside a `ResponseStore`; its tier is `memory`. `nil` if a part of
    /// it is longer than 2 GiB.
    ///
    /// - Parameters:
    ///   - body: copied.
    ///   - receivedAt: when the response came, seconds since 1970; no time on the way is added to its age.
    ///   - applicationData: the application's data beside the response.
    ///   - policy: the tiers that may hold it when it is stored again.
    package init?(
        _ response: HTTPResponse, body: [UInt8], receivedAt: Int64, applicationData: [UInt8] = [],
        policy: StoragePolicy = .allowed
    ) {
        let values = ResponseValues(response, responseTime: receivedAt)
        let facts = StoredFacts(values, requestTime: receivedAt, responseTime: receivedAt)
        let metadata = StoredMetadata.encode(
            .response, facts: facts, fields: StoredFields.storable(response.headerFields),
            applicationData: applicationData)
        // The entry is never in a tier and needs no key.
        let entry = StoredEntry(
            key: RawSpan(), hash: KeyHash(low: 0, high: 0), metadata: ContiguousArray(metadata).span.bytes,
            body: ContiguousArray(body).span.bytes, storedAt: CacheTime(seconds: receivedAt).microseconds,
            policy: policy)
        guard let entry else { return nil }
        self.init(entry: entry, tier: .memory, facts: facts)
    }
}
