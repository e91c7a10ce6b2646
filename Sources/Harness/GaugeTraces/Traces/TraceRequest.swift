/// One request of a trace.
package struct TraceRequest: Hashable, Sendable {
    /// Stands for the object asked for; two requests are for the same object if and only if their ids are equal.
    package var id: UInt64
    /// The URL asked for, where the trace has one.
    package var url: String?
    /// Bytes of the body, where the trace says.
    package var size: Int?
    /// Seconds, since a moment that the trace knows, where the trace says.
    package var time: Double?
    /// What HTTP has to say about it, where the trace tells methods, statuses or header fields.
    package var exchange: HTTPExchange?

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
}
