/// A request and its response as a trace tells of them, for whoever knows what HTTP makes of it (``CachingRules``).
package struct HTTPExchange: Hashable, Sendable {
    /// A header field.
    package struct Field: Hashable, Sendable {
        /// The name as written.
        package var name: [UInt8]
        /// The value without the whitespace around it.
        package var value: [UInt8]

        /// A field.
        package init(name: [UInt8], value: [UInt8]) {
            self.name = name
            self.value = value
        }
    }

    /// The request's method as written: `GET`.
    package var method: String
    /// The response's status; 0 where there was no response.
    package var status: Int
    /// The request's fields in their order.
    package var requestFields: [Field]
    /// The response's fields in their order.
    package var responseFields: [Field]
    /// When the request was sent, seconds since 1970; `nil` where the trace does not tell.
    package var sent: Double?
    /// Seconds from then to the end of the response.
    package var duration: Double
    /// Whether the trace has header fields: without them nothing is known of freshness, which is not the same as a
    /// response without any.
    package var hasFields: Bool

    /// What a log without header fields says.
    package init(method: String, status: Int) {
        self.init(
            method: method, status: status, requestFields: [], responseFields: [], sent: nil, duration: 0,
            hasFields: false)
    }

    /// An exchange with all that is known of it.
    package init(
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
