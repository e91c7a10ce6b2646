import CacheTiers
import HTTPSemantics

/// An engine's storage: a `ResponseStore`, or an application's own type in front of one, which then sees every lookup
/// and store.
package protocol ResponseStoring: Sendable {
    func lookup(_ request: CacheRequest) -> StoredResponse?
    /// Stores a response whose header allows it, in place of the one stored for the same request.
    ///
    /// - Returns: what became of it, if that is known.
    @discardableResult
    func store(_ response: ResponseToStore, for request: CacheRequest, times: StoringTimes) -> StoreOutcome?
    func remove(_ request: CacheRequest, _ reason: RemovalReason)
}

/// Why a stored response is removed, which decides what may take its place.
package enum RemovalReason: Sendable {
    /// By the application, or an unsafe request: nothing under way is stored for the URL any more.
    case invalidated
    /// This answer, which is not stored, shows that it is outdated.
    case superseded(AnswerMoment)
    /// It has outlived the application's time to live.
    case expired
}

extension ResponseStore: ResponseStoring {
    package func lookup(_ request: CacheRequest) -> StoredResponse? { lookup(request.request) }

    @discardableResult
    package func store(_ response: ResponseToStore, for request: CacheRequest, times: StoringTimes) -> StoreOutcome? {
        response.body.withUnsafeBytes { body in
            store(
                response.response, for: request.request, body: body, applicationData: response.applicationData,
                policy: response.policy, requestTime: times.request, responseTime: times.response,
                storedAt: times.stored.microseconds, moment: times.moment, confirming: response.confirms,
                attachment: response.attachment, attachedCount: response.attachedCount, values: response.values)
        }
    }

    /// The entry is gone even if the removal could not be written to disk; the tier's statistics count that.
    package func remove(_ request: CacheRequest, _ reason: RemovalReason) {
        switch reason {
        case .invalidated: _ = try? remove(request.request)
        case .superseded(let moment): remove(request.request, supersededBy: moment)
        case .expired: removeExpired(request.request)
        }
    }
}

package struct ResponseToStore: Sendable {
    /// Status and header fields; see `StoredFields.storable` for the ones left out.
    package var response: HTTPResponse { didSet { values = nil } }
    /// The values of `response`, if already read.
    package var values: ResponseValues?
    package var body: [UInt8]
    /// The application's data, kept beside the response.
    package var applicationData: [UInt8]
    package var policy: StoragePolicy
    /// Kept with the entry in memory; see `StoredEntry.attach`.
    package var attachment: (any AnyObject & Sendable)?
    /// Bytes of the attachment that cannot be made again.
    package var attachedCount = 0
    /// The stored response that the origin has confirmed: only the header fields are new. `nil` for a new response.
    package let confirms: StoredResponse?
    /// How many bytes of the body this answer brought: none where it confirms, some where it completes parts.
    package var arrivedCount: Int

    package init(
        _ response: HTTPResponse, body: [UInt8], applicationData: [UInt8] = [], policy: StoragePolicy = .allowed,
        confirms: StoredResponse? = nil
    ) {
        arrivedCount = confirms == nil ? body.count : 0
        self.response = response
        self.body = body
        self.applicationData = applicationData
        self.policy = policy
        self.confirms = confirms
    }
}

extension ResponseToStore {
    /// The response with its body's length, in case the application edited the body and left the received length.
    package var withLengthOfBody: Self {
        guard let length = response.headerFields["Content-Length"], length != String(body.count) else { return self }
        var corrected = self
        corrected.response.headerFields["Content-Length"] = String(body.count)
        return corrected
    }
}

package struct StoringTimes: Sendable {
    /// When the request was sent, seconds since 1970.
    package var request: Int64
    /// When the response came, seconds since 1970.
    package var response: Int64
    package var stored: CacheTime
    /// Its place among the answers to other requests.
    package var moment: AnswerMoment?

    package init(request: Int64, response: Int64, stored: CacheTime, moment: AnswerMoment? = nil) {
        self.request = request
        self.response = response
        self.stored = stored
        self.moment = moment
    }
}
