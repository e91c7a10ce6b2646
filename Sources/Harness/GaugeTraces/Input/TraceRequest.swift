/// One request of a trace.
package struct TraceRequest: Hashable, Sendable {
    /// Identifies the object; two requests are for the same object if and only if their ids are equal.
    package var id: UInt64
    /// The URL, if the trace has one.
    package var url: String?
    /// Bytes of the body, if the trace states them.
    package var size: Int?
    /// Seconds since a moment chosen by the trace; `nil` if the trace has no times.
    package var time: Double?
    /// The HTTP metadata, if the trace has methods, statuses or header fields.
    package var exchange: HTTPExchange?
    /// What the logged size counted, as far as the line tells. Says nothing about the request, so that `==` ignores it.
    package var counted = CountedBytes.body

    /// Describes a request.
    package init(
        id: UInt64, url: String? = nil, size: Int? = nil, time: Double? = nil, exchange: HTTPExchange? = nil
    ) {
        self.id = id
        self.url = url
        self.size = size
        self.time = time
        self.exchange = exchange
    }

    /// The request as those of all formats are described.
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

/// The bytes that the size of a logged request counts.
package enum CountedBytes: UInt8, Sendable {
    /// Those of the body. A size that differs is another version of the object.
    case body
    /// Those of the whole response with its header, which differs between responses with one body.
    case response
    /// The same, from a log that says that the body is the one that was sent before: a hit in squid.
    case sameResponse
    /// The line does not tell.
    case unknown
}
