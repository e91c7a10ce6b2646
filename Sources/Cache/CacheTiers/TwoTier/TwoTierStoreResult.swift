/// What became of an entry in each tier.
public struct TwoTierStoreResult: Sendable {
    /// In memory.
    public let memory: StoreResult
    /// On disk, or why it could not be written; `nil` when the cache has no disk tier.
    public let disk: Result<DiskStoreResult, DiskTierError>?
}
