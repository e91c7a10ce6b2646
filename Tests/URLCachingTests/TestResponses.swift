import Platform
import URLCaching

/// A response as an application stores it; fresh for a minute.
func cached(
    _ body: String, status: Int = 200, fields: [String: String] = [:], userInfo: [AnyHashable: Any]? = nil,
    policy: URLCache.StoragePolicy = .allowed
) -> CachedURLResponse {
    let response = HTTPURLResponse(
        url: URL(string: "https://example.com/a?version=1")!, statusCode: status, httpVersion: "HTTP/1.1",
        headerFields: fields.merging(["Cache-Control": "max-age=60"]) { given, _ in given })!
    return CachedURLResponse(response: response, data: Data(body.utf8), userInfo: userInfo, storagePolicy: policy)
}

/// A clock that moves when a test says so.
///
/// `@unchecked Sendable`: the time is read and written under the lock alone.
final class TestClock: @unchecked Sendable {
    let start = Date(timeIntervalSince1970: 1_795_000_000)
    private let lock = Lock()
    private var elapsed: TimeInterval = 0

    var now: Date { lock.withLock { start.addingTimeInterval(elapsed) } }
    func advance(by seconds: TimeInterval) { lock.withLock { elapsed += seconds } }
}
