import CacheTiers
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

/// A response that is about to be stored.
package struct ResponseToStore: Sendable {
    /// Status and header fields; `StoredFields.storable` says which fields are left out.
    package var response: HTTPResponse { didSet { values = nil } }
    /// What `response` says, where that was read already.
    package var values: ResponseValues?
    /// The whole body.
    package var body: [UInt8]
    /// The application's data, kept beside the response.
    package var applicationData: [UInt8]
    /// The tiers that may hold it.
    package var policy: StoragePolicy
    /// Kept with the entry in memory; see `StoredEntry.attach`.
    package var attachment: (any AnyObject & Sendable)?
    /// The stored response that the origin has confirmed: only the header fields are new. `nil` for a new response.
    package let confirms: StoredResponse?

    /// A response.
    package init(
        _ response: HTTPResponse, body: [UInt8], applicationData: [UInt8] = [], policy: StoragePolicy = .allowed,
        confirms: StoredResponse? = nil
    ) {
        self.response = response
        self.body = body
        self.applicationData = applicationData
        self.policy = policy
        self.confirms = confirms
    }
}

extension ResponseToStore {
    /// The response, with the length of its body where the application has edited that and left the received length.
    package var withLengthOfBody: Self {
        guard let length = response.headerFields["Content-Length"], length != String(body.count) else { return self }
        var corrected = self
        corrected.response.headerFields["Content-Length"] = String(body.count)
        return corrected
    }
}

/// When a response was asked for, came, and was stored.
package struct StoringTimes: Sendable {
    /// When the request was sent, seconds since 1970.
    package var request: Int64
    /// When the response came, seconds since 1970.
    package var response: Int64
    /// When the response is stored.
    package var stored: CacheTime
    /// Its place among the answers to other requests.
    package var moment: AnswerMoment?

    /// The times of an answer.
    package init(request: Int64, response: Int64, stored: CacheTime, moment: AnswerMoment? = nil) {
        self.request = request
        self.response = response
        self.stored = stored
        self.moment = moment
    }
}
