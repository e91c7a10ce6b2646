/// The outcome of a store in each tier.
public struct TwoTierStoreResult: Sendable {
    /// In memory.
    public let memory: StoreResult
    /// On disk, or the reason why it could not be written; `nil` when the cache has no disk tier.
    public let disk: Result<DiskStoreResult, DiskTierError>?
}
