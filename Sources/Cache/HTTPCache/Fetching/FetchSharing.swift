import HTTPSemantics

/// Which requests may share a fetch.
enum FetchSharing {
    /// All requests for the URL, or for the variant where that is known.
    case known
    /// Requests that agree in these fields, which the answer to another request has named.
    case variant(VarySelection)
    /// Only the request that began it.
    case alone
}
