import HTTPSemantics

/// The storage of an engine: a `ResponseStore`, or an application's own type in front of one, which then sees every
/// lookup and store.
package protocol ResponseStoring: Sendable {
    /// The response stored for a request, fresh or not.
    func lookup(_ request: CacheRequest) -> StoredResponse?
    /// Stores a response whose header allows it, in place of the one stored for the same request.
    func store(_ response: ResponseToStore, for request: CacheRequest, times: StoringTimes)
    /// Removes every response stored for a request's URL.
    func remove(_ request: CacheRequest, _ reason: RemovalReason)
}

/// Why a stored response goes, which tells what may take its place.
package enum RemovalReason: Sendable {
    /// The application, or an unsafe request: nothing that is under way is stored for the URL any more.
    case invalidated
    /// This answer, which is not stored, shows it to be outdated.
    case superseded(AnswerMoment)
    /// It has outlived the application's time to live.
    case expired
}

extension ResponseStore: ResponseStoring {
    /// See `lookup(_:)` of an `HTTPRequest`.
    package func lookup(_ request: CacheRequest) -> StoredResponse? { lookup(request.request) }

    /// See `store` of an `HTTPResponse`.
    package func store(_ response: ResponseToStore, for request: CacheRequest, times: StoringTimes) {
        _ = response.body.withUnsafeBytes { body in
            store(
                response.response, for: request.request, body: body, applicationData: response.applicationData,
                policy: response.policy, requestTime: times.request, responseTime: times.response,
                storedAt: times.stored.microseconds, moment: times.moment, confirming: response.confirms,
                attachment: response.attachment, values: response.values)
        }
    }

    /// See `remove(_:)` of an `HTTPRequest`. The entry is gone even if the removal could not be written to disk, which the
    /// tier's statistics count.
    package func remove(_ request: CacheRequest, _ reason: RemovalReason) {
        switch reason {
        case .invalidated: _ = try? remove(request.request)
        case .superseded(let moment): remove(request.request, supersededBy: moment)
        case .expired: removeExpired(request.request)
        }
    }
}
