/// A session's configuration, as far as a transport needs it.
package struct TransportSettings: Sendable {
    /// See `URLSessionConfiguration.httpMaximumConnectionsPerHost`.
    package var connectionsPerHost = 6
    /// Connections are kept for later exchanges.
    package var keepsConnections = true
    /// Seconds after which a kept connection that nobody used is not used again; libcurl's own default.
    package var idleTimeout = 118
    /// Seconds that an exchange may take from its beginning to the last byte; see
    /// `URLSessionConfiguration.timeoutIntervalForResource`.
    package var resourceTimeout = 7.0 * 24 * 3600
    /// Bytes of header; see `CachingSession.Configuration.largestHeader`.
    package var largestHeader = 1 << 20
    /// Bytes; see `CachingSession.Configuration.largestDecodedBody`.
    package var largestDecodedBody: Int64 = 1 << 30
    /// A file of certificates in PEM that are trusted in the place of the system's.
    package var certificateFile: String?

    /// Settings, by default those of URLSession.
    package init() {}
}
