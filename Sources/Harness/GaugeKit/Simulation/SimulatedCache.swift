/// A request as it goes over the virtual network.
public struct SimulatedRequest: Hashable, Sendable {
    /// `GET`, `PUT`.
    public var method: String
    /// The whole URL.
    public var url: String
    /// The header fields, in order.
    public var fields: [HeaderField]

    /// A request.
    public init(method: String = "GET", url: String, fields: [HeaderField] = []) {
        self.method = method
        self.url = url
        self.fields = fields
    }
}

/// A response as it comes over the virtual network.
public struct SimulatedResponse: Hashable, Sendable {
    /// The status code.
    public var status: Int
    /// The header fields, in order.
    public var fields: [HeaderField]
    /// The body.
    public var body: [UInt8]

    /// A response.
    public init(status: Int, fields: [HeaderField] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}

/// A line of a header.
public struct HeaderField: Hashable, Sendable {
    /// The name as written.
    public var name: String
    /// The value.
    public var value: String

    /// A line.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// What a cache answered, and where it says that it had it from.
public struct SimulatedAnswer: Sendable {
    /// Where an answer came from.
    public enum Source: String, CaseIterable, Sendable {
        /// Memory, fresh.
        case memory
        /// Disk, fresh.
        case disk
        /// The store, confirmed by the origin.
        case revalidated
        /// The origin.
        case fetched
        /// The store, although stale.
        case stale
        /// The origin, past the store.
        case bypass
    }

    /// The answer.
    public var response: SimulatedResponse
    /// Where it came from.
    public var source: Source

    /// An answer.
    public init(_ response: SimulatedResponse, source: Source) {
        self.response = response
        self.source = source
    }
}

/// A whole HTTP cache that can be put between a workload and a virtual origin, on a clock that goes on only when it is
/// told to.
public protocol SimulatedCache: AnyObject, SendableMetatype {
    /// What it is called on the command line.
    static var name: String { get }

    /// Makes the cache, empty, at a moment in seconds since 1970. The same arguments give a cache that answers the same
    /// in every process.
    init(_ configuration: SubjectConfiguration, start: Int64, origin: SimulatedOrigin) throws

    /// Answers requests that are made at one moment, none of which waits for another: all are begun before the origin
    /// answers any. What the cache does in the background has ended when this returns.
    func answer(_ requests: [SimulatedRequest], at moment: Int64) -> [Result<SimulatedAnswer, any Error>]

    /// Removes what is stored for a URL, as an application does.
    func remove(_ url: String, at moment: Int64)
}
