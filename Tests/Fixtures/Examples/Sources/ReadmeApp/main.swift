// swift-format-ignore-file
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

let url = URL(string: "https://example.com/greeting")!
let request = URLRequest(url: url)
let body = Data("hello".utf8)
let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: nil)!

// README.md, as a cache.
import URLCaching

let cache = ResponseCache(memoryCapacity: 4 << 20, diskCapacity: 20 << 20, diskPath: nil)
cache.storeCachedResponse(CachedURLResponse(response: response, data: body), for: request)
let hit = cache.cachedResponse(for: request)      // URLCache's own types, in and out

let session = CachingSession(cache: cache)        // instead of URLSession
let (data, answer) = try await session.data(for: request)
