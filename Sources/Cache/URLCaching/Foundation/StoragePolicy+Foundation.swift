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

extension URLCache.StoragePolicy {
    init(_ policy: StoragePolicy) {
        switch policy {
        case .allowed: self = .allowed
        case .allowedInMemoryOnly: self = .allowedInMemoryOnly
        case .notAllowed: self = .notAllowed
        }
    }
}
