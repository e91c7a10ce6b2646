package struct TraceRequest: Hashable, Sendable {
    /// Identifies the object: requests with equal ids, and only these, are for the same object.
    package var id: UInt64
    package var url: String?
    /// Bytes of the body, if the trace states them.
    package var size: Int?
    /// Seconds since some moment; `nil` if the trace has no times.
    package var time: Double?
    /// The HTTP metadata, if the trace has methods, statuses or header fields.
    package var exchange: HTTPExchange?
    /// What the logged size counts, if the line tells. It says nothing about the request, so `==` ignores it.
    package var counted = CountedBytes.body
}

extension TraceRequest {
    /// Whether the trace should state a size and doesn't. A HEAD asks for no body.
    package var lacksSize: Bool { size == nil && exchange?.method != "HEAD" }

    package init(_ plain: PlainRequest) {
        self.init(
            id: plain.id, size: plain.size < 0 ? nil : plain.size, time: plain.time == -.infinity ? nil : plain.time)
    }

    package static func == (one: TraceRequest, other: TraceRequest) -> Bool {
        one.id == other.id && one.url == other.url && one.size == other.size && one.time == other.time
            && one.exchange == other.exchange
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// What the size of a logged request counts.
package enum CountedBytes: UInt8, Sendable {
    /// The body. A size that differs is another version of the object.
    case body
    /// The whole response with its header, which varies between responses with one body.
    case response
    /// The whole response, whose body was the same as before according to the log: a hit in squid.
    case sameResponse
    /// The line doesn't tell.
    case unknown
}

/// A request and its response as a trace describes them, for ``CachingRules`` to judge.
package struct HTTPExchange: Hashable, Sendable {
    package struct Field: Hashable, Sendable {
        package var name: [UInt8]
        /// The value without the whitespace around it.
        package var value: [UInt8]

        package init(name: [UInt8], value: [UInt8]) {
            self.name = name
            self.value = value
        }
    }

    /// The request's method as written: `GET`.
    package var method: String
    /// The response's status; 0 if there was no response.
    package var status: Int
    /// The request's fields, in order.
    package var requestFields: [Field]
    /// The response's fields, in order.
    package var responseFields: [Field]
    /// When the request was sent, seconds since 1970; `nil` if the trace has no times.
    package var sent: Double?
    /// Seconds from sending to the end of the response.
    package var duration: Double
    /// Seconds from sending to the head of the response; the duration, if the trace doesn't say.
    package var headDelay: Double
    /// Whether the trace has header fields. If not, nothing is known of freshness; a response with no fields is another
    /// matter.
    package var hasFields: Bool
    /// Whether the cache of the browser that wrote the trace gave the response, so that the request's fields aren't
    /// those of a request on the wire.
    package var isOfBrowserCache = false

    /// The exchange of a log without header fields.
    package init(method: String, status: Int) {
        self.init(
            method: method, status: status, requestFields: [], responseFields: [], sent: nil, duration: 0,
            hasFields: false)
    }

    /// The exchange of a trace that says for how many seconds a response is fresh.
    package init(method: String, status: Int, lifetime: Double, sent: Double? = nil) {
        let value = lifetime > 0 ? "max-age=\(Int(min(lifetime, 1e9)))" : "no-cache"
        let field = Field(name: Array("Cache-Control".utf8), value: Array(value.utf8))
        self.init(method: method, status: status, requestFields: [], responseFields: [field], sent: sent, duration: 0)
    }

    package init(
        method: String, status: Int, requestFields: [Field], responseFields: [Field], sent: Double?, duration: Double,
        headDelay: Double? = nil, hasFields: Bool = true
    ) {
        (self.method, self.status, self.requestFields) = (method, status, requestFields)
        (self.responseFields, self.sent, self.duration) = (responseFields, sent, duration)
        self.headDelay = headDelay ?? duration
        self.hasFields = hasFields
    }
}
