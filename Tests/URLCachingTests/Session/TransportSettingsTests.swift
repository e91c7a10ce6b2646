import CurlTransport
import Testing

@testable import URLCaching

@Suite struct TransportSettingsTests {
    @Test(
        "a request's time is that of the configuration, and 60 s where that is no time",
        arguments: [(7, 7), (0.5, 0.5), (60, 60), (0, 60), (-1, 60)] as [(Double, Double)])
    func requestTime(set: Double, counts: Double) {
        let configuration = CachingSession.Configuration().with { $0.timeoutIntervalForRequest = set }
        #expect(CachingSession(configuration: configuration, cache: nil).requestTimeout == counts)
    }

    @Test("settings that are left alone are those of URLSession, and the bounds that the documentation names")
    func defaults() {
        let (settings, session) = (TransportSettings(), URLSessionConfiguration.default)
        #expect(settings.connectionsPerHost == 6 && session.httpMaximumConnectionsPerHost == 6)
        let usual = CachingSession(cache: nil)
        #expect(usual.resourceTimeout == 604_800 && session.timeoutIntervalForResource == 604_800)
        #expect(settings.keepsConnections && settings.tls.certificateFile == nil)
        #expect(settings.proxies == nil && settings.tls.pinnedKeys.isEmpty)
        #expect(settings.largestHeader == 1_048_576 && settings.largestDecodedBody == 1_073_741_824)
        let configuration = CachingSession.Configuration()
        #expect(configuration.largestHeader == 1_048_576 && configuration.largestDecodedBody == 1_073_741_824)
        #expect(configuration.longestBacklog == 1_073_741_824)
        #expect(configuration.timeToLive == nil && configuration.certificateFile == nil)
        #expect(!configuration.answersGatewayTimeout && configuration.cacheStatusName == nil)
        let reached = TransportSettings(configuration, configuration.urlSession.makeConfiguration(), TLSSettings())
        #expect(reached.connectionsPerHost == 6 && reached.keepsConnections)
    }

    @Test(
        "a request's whole time is that of the configuration, and a week where that is no time",
        arguments: [(7, 7), (0, 604_800), (-1, 604_800), (.nan, 604_800)] as [(Double, Double)])
    func wholeTime(set: Double, counts: Double) {
        let configuration = CachingSession.Configuration().with { $0.timeoutIntervalForResource = set }
        #expect(CachingSession(configuration: configuration, cache: nil).resourceTimeout == counts)
    }

    @Test("each setting of a session reaches its transport")
    func settings() throws {
        var configuration = CachingSession.Configuration()
        let session = URLSessionConfiguration.ephemeral
        session.httpMaximumConnectionsPerHost = 3
        session.timeoutIntervalForRequest = 5
        configuration.largestHeader = 11
        configuration.largestDecodedBody = 13
        configuration.certificateFile = URL(fileURLWithPath: "/roots.pem")
        let settings = try TransportSettings(configuration, session, configuration.tlsDemands())
        #expect(settings.connectionsPerHost == 3)
        #expect(settings.largestHeader == 11 && settings.largestDecodedBody == 13)
        #expect(settings.tls.certificateFile == "/roots.pem")
    }
}
