/// What a transport has to know of a session's configuration.
struct TransportSettings: Sendable {
    /// See `URLSessionConfiguration.httpMaximumConnectionsPerHost`.
    var connectionsPerHost = 6
    /// Seconds that an exchange may take from its beginning to the last byte; see
    /// `URLSessionConfiguration.timeoutIntervalForResource`.
    var resourceTimeout = 7.0 * 24 * 3600
    /// Bytes of header; see `CachingSession.Configuration.largestHeader`.
    var largestHeader = 1 << 20
    /// Bytes; see `CachingSession.Configuration.largestDecodedBody`.
    var largestDecodedBody: Int64 = 1 << 30
    /// A file of certificates in PEM that are trusted in the place of the system's.
    var certificateFile: String?
}
