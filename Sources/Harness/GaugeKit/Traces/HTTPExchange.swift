/// A request and its response as a trace tells of them, for whoever knows what HTTP makes of it (``CachingRules``).
public struct HTTPExchange: Hashable, Sendable {
    /// A header field.
    public struct Field: Hashable, Sendable {
        /// The name as written.
        public var name: [UInt8]
        /// The value without the whitespace around it.
        public var value: [UInt8]

        /// A field.
        public init(name: [UInt8], value: [UInt8]) {
            self.name = name
            self.value = value
        }
    }

    /// The request's method as written: `GET`.
    public var method: String
    /// The response's status; 0 where there was no response.
    public var status: Int
    /// The request's fields in their order.
    public var requestFields: [Field]
    /// The response's fields in their order.
    public var responseFields: [Field]
    /// When the request was sent, seconds since 1970; `nil` where the trace does not tell.
    public var sent: Double?
    /// Seconds from then to the end of the response.
    public var duration: Double
    /// Whether the trace has header fields: without them nothing is known of freshness, which is not the same as a
    /// response without any.
    public var hasFields: Bool

    /// What a log without header fields says.
    public init(method: String, status: Int) {
        self.init(
            method: method, status: status, requestFields: [], responseFields: [], sent: nil, duration: 0,
            hasFields: false)
    }

    /// An exchange with all that is known of it.
    public init(
        method: String, status: Int, requestFields: [Field], responseFields: [Field], sent: Double?, duration: Double,
        hasFields: Bool = true
    ) {
        self.method = method
        self.status = status
        self.requestFields = requestFields
        self.responseFields = responseFields
        self.sent = sent
        self.duration = duration
        self.hasFields = hasFields
    }
}
