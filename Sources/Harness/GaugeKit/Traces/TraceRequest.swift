/// One request of a trace.
public struct TraceRequest: Hashable, Sendable {
    /// Stands for the object asked for; two requests are for the same object if and only if their ids are equal.
    public var id: UInt64
    /// The URL asked for, where the trace has one.
    public var url: String?
    /// Bytes of the body, where the trace says.
    public var size: Int?
    /// Seconds, since a moment that the trace knows, where the trace says.
    public var time: Double?
    /// What HTTP has to say about it, where the trace tells methods, statuses or header fields.
    public var exchange: HTTPExchange?

    /// Describes a request.
    public init(
        id: UInt64, url: String? = nil, size: Int? = nil, time: Double? = nil, exchange: HTTPExchange? = nil
    ) {
        self.id = id
        self.url = url
        self.size = size
        self.time = time
        self.exchange = exchange
    }
}
