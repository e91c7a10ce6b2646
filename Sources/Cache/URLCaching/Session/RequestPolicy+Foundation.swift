import HTTPSemantics

extension RequestPolicy {
    /// By name: the raw values differ between platforms. A case that Foundation may add is the default.
    init(_ policy: URLRequest.CachePolicy) {
        switch policy {
        case .useProtocolCachePolicy: self = .useProtocolCachePolicy
        case .reloadIgnoringLocalCacheData: self = .reloadIgnoringLocalCacheData
        case .reloadIgnoringLocalAndRemoteCacheData: self = .reloadIgnoringLocalAndRemoteCacheData
        case .returnCacheDataElseLoad: self = .returnCacheDataElseLoad
        case .returnCacheDataDontLoad: self = .returnCacheDataDontLoad
        case .reloadRevalidatingCacheData: self = .reloadRevalidatingCacheData
        @unknown default: self = .useProtocolCachePolicy
        }
    }
}

extension CachingSession {
    /// The policy in force for a request.
    func policy(of request: URLRequest) -> RequestPolicy {
        let own = RequestPolicy(request.cachePolicy)
        let policy = own == .useProtocolCachePolicy ? RequestPolicy(configuration.requestCachePolicy) : own
        guard cache == nil else { return policy }
        // Without a cache there is nothing to wait for another's fetch for.
        switch policy {
        case .returnCacheDataDontLoad, .reloadIgnoringLocalAndRemoteCacheData: return policy
        default: return .reloadIgnoringLocalCacheData
        }
    }
}
