import CacheTiers
import HTTPSemantics

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
