/// A request as it goes over the virtual network.
public struct SimulatedRequest: Hashable, Sendable {
    /// `GET`, `PUT`.
    public var method: String
    /// The whole URL.
    public var url: String
    /// The header fields, in order.
    public var fields: [HeaderField]

    /// Creates a request.
    public init(method: String = "GET", url: String, fields: [HeaderField] = []) {
        (self.method, self.url, self.fields) = (method, url, fields)
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

    /// Creates a response.
    public init(status: Int, fields: [HeaderField] = [], body: [UInt8] = []) {
        (self.status, self.fields, self.body) = (status, fields, body)
    }
}

/// A cache's answer, and where the cache says it came from.
public struct SimulatedAnswer: Sendable {
    /// Where an answer came from.
    public enum Source: String, CaseIterable, Sendable {
        /// Memory, fresh.
        case memory
        /// Disk, fresh.
        case disk
        /// The cache, after the origin confirmed the response.
        case revalidated
        /// The origin.
        case fetched
        /// The cache, although the response is stale.
        case stale
        /// The origin; the cache was bypassed.
        case bypass
    }

    /// The answer.
    public var response: SimulatedResponse
    /// Where it came from.
    public var source: Source

    /// Creates an answer.
    public init(_ response: SimulatedResponse, source: Source) {
        self.response = response
        self.source = source
    }
}

/// A complete HTTP cache between a workload and a virtual origin, on a clock that advances only when told to.
public protocol SimulatedCache: AnyObject, SendableMetatype {
    /// The name on the command line.
    static var name: String { get }

    /// Makes an empty cache at a moment, seconds since 1970. Equal arguments give a cache with the same answers in
    /// every process.
    init(_ configuration: SubjectConfiguration, start: Int64, origin: SimulatedOrigin) throws

    /// Answers requests made at one moment, seconds since 1970, that don't wait for each other: all begin before the
    /// origin answers any. The cache's background work has ended when this returns.
    func answer(_ requests: [SimulatedRequest], at moment: Int64) -> [Result<SimulatedAnswer, any Error>]

    /// Removes the stored responses for a URL, as an application does at a moment, seconds since 1970.
    func remove(_ url: String, at moment: Int64)
}
