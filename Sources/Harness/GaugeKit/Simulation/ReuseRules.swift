/// What RFC 9111 allows a private cache, as somebody other than the cache under test reads it. The harness itself knows
/// no header field; the executable lends it this.
public protocol ReuseRules: Sendable {
    /// Whether a response may be stored.
    func mayStore(_ response: ReceivedResponse, for request: SimulatedRequest) -> Bool

    /// How a stored response may be used for a request at a moment in seconds since 1970, without asking the origin.
    func use(of response: ReceivedResponse, for request: SimulatedRequest, at moment: Int64) -> AllowedUse
}

/// A response, and when the cache received it or last had it confirmed.
public struct ReceivedResponse: Hashable, Sendable {
    /// The status code; after a confirmation that of the stored response.
    public var status: Int
    /// The header fields, those of the confirmation in place of the earlier ones.
    public var fields: [HeaderField]
    /// Seconds since 1970. No time goes by between request and response.
    public var moment: Int64

    /// A response.
    public init(status: Int, fields: [HeaderField], moment: Int64) {
        self.status = status
        self.fields = fields
        self.moment = moment
    }
}

/// How a stored response may be used.
public enum AllowedUse: Hashable, Sendable {
    /// As it is.
    case fresh
    /// As it is, although it is stale: the origin or the client allows that.
    case stale
    /// Not without asking the origin.
    case no
}
