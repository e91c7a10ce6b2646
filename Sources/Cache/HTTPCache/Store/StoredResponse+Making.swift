import CacheTiers
import HTTPSemantics

extension StoredResponse {
    /// A response that an application's storage found outside a `ResponseStore`; its tier is `memory`. `nil` if a part of
    /// it is longer than 2 GiB.
    ///
    /// - Parameters:
    ///   - body: copied.
    ///   - requestTime: when the request was sent, seconds since 1970.
    ///   - responseTime: when the response came, seconds since 1970.
    package init?(_ response: HTTPResponse, body: [UInt8], requestTime: Int64, responseTime: Int64) {
        let values = ResponseValues(response, responseTime: responseTime)
        let facts = StoredFacts(values, requestTime: requestTime, responseTime: responseTime)
        let metadata = StoredMetadata.encode(
            .response, facts: facts, fields: StoredFields.storable(response.headerFields))
        // The entry is never in a tier and needs no key.
        let entry = StoredEntry(
            key: [UInt8]().span.bytes, hash: KeyHash(low: 0, high: 0), metadata: metadata.span.bytes,
            body: body.span.bytes, storedAt: responseTime)
        guard let entry else { return nil }
        self.init(entry: entry, tier: .memory, facts: facts)
    }
}
