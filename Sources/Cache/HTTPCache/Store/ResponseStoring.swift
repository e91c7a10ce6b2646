import HTTPSemantics

/// The storage of an engine: a `ResponseStore`, or an application's own type in front of one, which then sees every
/// lookup and store.
package protocol ResponseStoring: Sendable {
    /// The response stored for a request, fresh or not.
    func lookup(_ request: CacheRequest) -> StoredResponse?
    /// Stores a response whose header allows it, in place of the one stored for the same request.
    func store(_ response: ResponseToStore, for request: CacheRequest, times: StoringTimes)
    /// Removes every response stored for a request's URL.
    func remove(_ request: CacheRequest)
}

extension ResponseStore: ResponseStoring {
    /// See `lookup(_:)` of an `HTTPRequest`.
    package func lookup(_ request: CacheRequest) -> StoredResponse? { lookup(request.request) }

    /// See `store(_:for:body:applicationData:policy:requestTime:responseTime:storedAt:attachment:values:)`.
    package func store(_ response: ResponseToStore, for request: CacheRequest, times: StoringTimes) {
        _ = response.body.withUnsafeBytes { body in
            store(
                response.response, for: request.request, body: body, applicationData: response.applicationData,
                policy: response.policy, requestTime: times.request, responseTime: times.response,
                storedAt: times.stored.microseconds, attachment: response.attachment, values: response.values)
        }
    }

    /// See `remove(_:)` of an `HTTPRequest`. The entry is gone even if the removal could not be written to disk, which the
    /// tier's statistics count.
    package func remove(_ request: CacheRequest) { _ = try? remove(request.request) }
}
