import Testing

@testable import URLCaching

@Suite struct URLSessionSettingsTests {
    @Test("a setting takes effect where it is made, and in no copy") func values() {
        var configuration = CachingSession.Configuration()
        let before = configuration
        configuration.urlSession.timeoutIntervalForRequest = 1
        configuration.urlSession.httpAdditionalHeaders = ["X-App": "1"]
        configuration.urlSession.httpCookieStorage = nil
        var copy = configuration
        copy.urlSession.timeoutIntervalForRequest = 2
        #expect(configuration.urlSession.timeoutIntervalForRequest == 1)
        #expect(before.urlSession.timeoutIntervalForRequest == 60)
        #expect(configuration.urlSession.httpCookieStorage == nil && before.urlSession.httpCookieStorage != nil)
        let session = CachingSession(configuration: configuration, cache: nil)
        #expect(session.requestTimeout == 1 && session.additionalFields.map(\.name) == ["X-App"])
        #expect(CachingSession(configuration: copy, cache: nil).requestTimeout == 2)
    }

    @Test("a configuration that is taken over is copied, and one that is made is the caller's") func copies() throws {
        let existing = URLSessionConfiguration.ephemeral
        existing.timeoutIntervalForResource = 3
        var settings = CachingSession.URLSessionSettings(existing)
        existing.timeoutIntervalForResource = 4
        #expect(settings.timeoutIntervalForResource == 3)
        let made = settings.makeConfiguration()
        made.timeoutIntervalForResource = 5
        #expect(settings.timeoutIntervalForResource == 3)
        let storage = try #require(existing.httpCookieStorage)
        settings.timeoutIntervalForRequest = 6
        #expect(settings.httpCookieStorage === storage && made.httpCookieStorage === storage)
    }
}
