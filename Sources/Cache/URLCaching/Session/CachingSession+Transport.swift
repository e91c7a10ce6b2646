import CurlTransport
import HTTPCache

extension CachingSession {
    /// The transport of a session that was given none, and why it is another than the configuration asks for.
    static func transport(
        _ configuration: Configuration, _ settings: URLSessionConfiguration
    ) -> (any Transport, TransportProblem?) {
        var problem: TransportProblem?
        if configuration.usesLibcurl(settings) {
            do throws(TransportProblem) {
                return (
                    try CurlTransport(
                        TransportSettings(configuration, settings), library: configuration.loadLibcurl()), nil
                )
            } catch {
                problem = error
            }
        }
        // A session that answered for CachingURLProtocol would wait for itself.
        settings.protocolClasses = settings.protocolClasses?.filter { !($0 is CachingURLProtocol.Type) }
        return (URLSessionTransport(settings, longestBacklog: configuration.longestBacklog), problem)
    }
}

extension CachingSession.Configuration {
    fileprivate func usesLibcurl(_ settings: URLSessionConfiguration) -> Bool {
        switch carrier {
        case .libcurl: return true
        case .urlSession: return false
        case .automatic:
            #if canImport(Darwin)
            return false
            #else
            let usual = (URLSessionConfiguration.default.protocolClasses ?? []).map { ObjectIdentifier($0) }
            return (settings.protocolClasses ?? []).allSatisfy {
                $0 is CachingURLProtocol.Type || usual.contains(ObjectIdentifier($0))
            }
            #endif
        }
    }
}

extension TransportSettings {
    init(_ configuration: CachingSession.Configuration, _ settings: URLSessionConfiguration) {
        self.init()
        connectionsPerHost = settings.httpMaximumConnectionsPerHost
        if settings.timeoutIntervalForResource > 0 { resourceTimeout = settings.timeoutIntervalForResource }
        largestHeader = configuration.largestHeader
        largestDecodedBody = configuration.largestDecodedBody
        idleTimeout = configuration.idleTimeout
        certificateFile = configuration.certificateFile?.path
    }
}
