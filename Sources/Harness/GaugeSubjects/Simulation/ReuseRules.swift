/// The reuse that RFC 9111 allows a private cache, implemented independently of the cache under test. The harness
/// itself knows no header fields; the executable supplies these rules.
package protocol ReuseRules: Sendable {
    /// Whether a response may be stored.
    func mayStore(_ response: ReceivedResponse, for request: SimulatedRequest) -> Bool

    /// Whether and how a stored response may be used without asking the origin, at a moment in seconds since 1970.
    func use(of response: ReceivedResponse, for request: SimulatedRequest, at moment: Int64) -> AllowedUse
}

/// A response, and the time when the cache received it or last had it validated.
package struct ReceivedResponse: Hashable, Sendable {
    /// The status code; after a 304, that of the stored response.
    package var status: Int
    /// The header fields; those of a 304 replace the earlier ones.
    package var fields: [HeaderField]
    /// Seconds since 1970. No time passes between request and response.
    package var moment: Int64

    /// Creates a response.
    package init(status: Int, fields: [HeaderField], moment: Int64) {
        self.status = status
        self.fields = fields
        self.moment = moment
    }
}

/// How a stored response may be used.
package enum AllowedUse: Hashable, Sendable {
    /// As it is.
    case fresh
    /// As it is, although it is stale: the origin or the client allows that.
    case stale
    /// Only after asking the origin.
    case no
}
