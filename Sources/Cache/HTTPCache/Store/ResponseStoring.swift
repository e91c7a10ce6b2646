import HTTPSemantics

/// Where an engine looks responses up and puts them: a `ResponseStore`, or something of the application's in front of
/// one that wants to see every lookup and store.
public protocol ResponseStoring: Sendable {
    /// The response stored for a request, fresh or not.
    func lookup(_ request: CacheRequest) -> StoredResponse?
    /// Stores a response whose header allows it, in place of what is stored for the request.
    func store(_ response: ResponseToStore, for request: CacheRequest, times: StoringTimes)
    /// Removes what is stored for a request's URL, all variants.
    func remove(_ request: CacheRequest)
}

extension ResponseStore: ResponseStoring {
    /// See `lookup(_:)` of an `HTTPRequest`.
    public func lookup(_ request: CacheRequest) -> StoredResponse? { lookup(request.request) }

    /// See `store(_:for:body:applicationData:policy:requestTime:responseTime:storedAt:attachment:)`.
    public func store(_ response: ResponseToStore, for request: CacheRequest, times: StoringTimes) {
        _ = response.body.withUnsafeBytes { body in
            store(
                response.response, for: request.request, body: body, applicationData: response.applicationData,
                policy: response.policy, requestTime: times.request, responseTime: times.response,
                storedAt: times.stored.microseconds, attachment: response.attachment)
        }
    }

    /// See `remove(_:)` of an `HTTPRequest`. A removal that could not be written to disk is found no more all the same,
    /// and is counted in the tier's statistics.
    public func remove(_ request: CacheRequest) { _ = try? remove(request.request) }
}
