import Foundation
import URLCaching

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An application's first use of the cache: store a response, read it back, as one would with URLCache.
@main
struct MyApp {
    static func main() {
        let directory = FileManager.default.temporaryDirectory.appending(path: "MyApp-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }

        let cache = ResponseCache(memoryCapacity: 4 << 20, diskCapacity: 20 << 20, diskPath: directory.path)
        let url = URL(string: "https://example.com/greeting?version=1")!
        let response = HTTPURLResponse(
            url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: ["Cache-Control": "max-age=60"])!
        cache.storeCachedResponse(
            CachedURLResponse(response: response, data: Data("hello".utf8)), for: URLRequest(url: url))

        guard let stored = cache.cachedResponse(for: URLRequest(url: url)), stored.data == Data("hello".utf8) else {
            print("the stored response did not come back")
            exit(1)
        }
        print("stored and read back \(stored.data.count) bytes")
    }
}
