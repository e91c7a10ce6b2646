import Foundation

/// Told of one exchange with an origin.
package typealias TransactionHandler = @Sendable (TransactionTimes) -> Void

/// When the steps of one exchange with an origin happened, by the system's clock, to a microsecond.
///
/// The members are those of `URLSessionTaskTransactionMetrics`, which on Linux only Foundation itself can fill. A step
/// that did not happen is `nil`: those of the look-up and the connection, where a connection was used again.
public struct TransactionTimes: Sendable {
    /// The URL that was asked.
    public var url: URL? { URL(string: text) }
    private let text: String
    /// The exchange began.
    public let fetchStartDate: Date
    /// The look-up of the host's name began.
    public private(set) var domainLookupStartDate: Date?
    /// The look-up of the host's name ended.
    public private(set) var domainLookupEndDate: Date?
    /// The connection was begun.
    public private(set) var connectStartDate: Date?
    /// The handshake of TLS began.
    public private(set) var secureConnectionStartDate: Date?
    /// The handshake of TLS ended.
    public private(set) var secureConnectionEndDate: Date?
    /// The connection was there, TLS included.
    public private(set) var connectEndDate: Date?
    /// The request was begun to be sent.
    public let requestStartDate: Date?
    /// The first byte of the answer came.
    public let responseStartDate: Date?
    /// The last byte of the answer came.
    public let responseEndDate: Date?
    /// A connection of an earlier exchange was used.
    public let isReusedConnection: Bool
    /// `http/1.1` or `h2`; `nil` without an answer.
    public let networkProtocolName: String?
    /// The address of the server, or of the proxy.
    public let remoteAddress: String?

    /// Reads what libcurl has noted of a transfer that is over.
    init(of easy: CurlLibrary.Handle, _ library: CurlLibrary, url: String) {
        text = url
        let start = Date(timeIntervalSinceNow: -Double(library.microseconds(easy, .end)) / 1_000_000)
        func date(_ moment: Curl.Moment) -> Date? {
            let microseconds = library.microseconds(easy, moment)
            return microseconds > 0 ? start + Double(microseconds) / 1_000_000 : nil
        }
        fetchStartDate = start
        requestStartDate = date(.requestBegun)
        responseStartDate = date(.responseBegun)
        responseEndDate = responseStartDate == nil ? nil : date(.end)
        isReusedConnection = library.number(easy, .newConnections) == 0 && requestStartDate != nil
        switch library.number(easy, .version) {
        case 1: networkProtocolName = "http/1.0"
        case 2: networkProtocolName = "http/1.1"
        case 3: networkProtocolName = "h2"
        default: networkProtocolName = nil
        }
        remoteAddress = library.remoteAddress(easy)
        guard !isReusedConnection else { return }
        domainLookupEndDate = date(.nameLookedUp)
        domainLookupStartDate = domainLookupEndDate == nil ? nil : start
        connectStartDate = domainLookupEndDate
        // libcurl's moment is that of TCP.
        let (connected, secured) = (date(.connected), date(.secured))
        secureConnectionStartDate = secured == nil ? nil : connected
        secureConnectionEndDate = secured
        connectEndDate = secured ?? connected
    }
}
