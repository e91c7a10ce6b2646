import HTTPSemantics

/// The requests on a chain of redirections.
///
/// A chain that comes back to one of them may be made of stored redirections that the site has turned round since, each of
/// which would lead on to the next for ever. So the origin is asked on the second visit.
struct Visits {
    private var requests = Set<String>()
    /// The present request was sent before.
    private(set) var isBack = false

    mutating func follow(from old: URLRequest, to new: URLRequest) {
        requests.insert(Self.name(old))
        isBack = !requests.insert(Self.name(new)).inserted
    }

    private static func name(_ request: URLRequest) -> String {
        let url = request.url?.absoluteString ?? ""
        return "\(request.method) \(url.prefix { $0 != "#" })"
    }
}

extension RequestPolicy {
    /// This policy without stored answers, where it allows a connection.
    var passingStoredRedirections: Self {
        switch self {
        case .useProtocolCachePolicy, .returnCacheDataElseLoad, .reloadRevalidatingCacheData:
            .reloadIgnoringLocalCacheData
        case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData, .returnCacheDataDontLoad: self
        }
    }
}
