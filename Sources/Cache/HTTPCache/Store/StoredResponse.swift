import CacheTiers
import HTTPSemantics

/// A response out of the store: its facts, at once; its fields, when asked for; its body, lent and never copied.
///
/// Holds on to the entry, which outlives its eviction for as long.
public struct StoredResponse: Sendable {
    /// The entry in the tiers.
    public let entry: StoredEntry
    /// Where it was found.
    public let tier: CacheTier
    /// What its freshness is judged by.
    public let facts: StoredFacts

    /// The status code.
    @inlinable public var status: Int { Int(facts.status) }

    /// Status and fields as they were stored, decoded anew on every call: one allocation a field.
    public var response: HTTPResponse {
        HTTPResponse(status: status, headerFields: entry.withMetadata { StoredMetadata.fields($0) })
    }

    /// What the application stored beside the response; empty when nothing. Copied on every call.
    public var applicationData: [UInt8] { entry.withMetadata { StoredMetadata.applicationData($0) } }

    /// Lends the body's bytes, uncopied; see `StoredEntry.withBody`.
    @inlinable
    public func withBody<Result>(_ read: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try entry.withBody(read)
    }
}
