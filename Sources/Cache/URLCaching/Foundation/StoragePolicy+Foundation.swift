import CacheTiers

extension StoragePolicy {
    /// By name; a case that Foundation may add is stored nowhere.
    init(_ policy: URLCache.StoragePolicy) {
        switch policy {
        case .allowed: self = .allowed
        case .allowedInMemoryOnly: self = .allowedInMemoryOnly
        case .notAllowed: self = .notAllowed
        @unknown default: self = .notAllowed
        }
    }
}

extension CachedURLResponse {
    /// The tiers that may hold it: none where the application says so; memory alone where `userInfo` has something that bytes
    /// cannot hold.
    func policy(_ data: ApplicationData) -> StoragePolicy {
        let policy = StoragePolicy(storagePolicy)
        return policy == .allowed && !data.isPersistent ? .allowedInMemoryOnly : policy
    }
}

extension URLCache.StoragePolicy {
    init(_ policy: StoragePolicy) {
        switch policy {
        case .allowed: self = .allowed
        case .allowedInMemoryOnly: self = .allowedInMemoryOnly
        case .notAllowed: self = .notAllowed
        }
    }
}
