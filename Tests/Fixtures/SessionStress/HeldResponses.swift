import CSupport
import Platform
import URLCaching

/// Fills a cache, hits and reads every response, and prints how much memory that took.
enum HeldResponses {
    /// Prints entries, bytes of the heap and of resident memory after all stores, after all hits, and after all
    /// responses were read, each beside what was in use before the first store.
    ///
    /// - Parameters:
    ///   - body: bytes of a body.
    ///   - rounds: how often everything is hit and read.
    static func run(capacity: Int, body: Int, rounds: Int) throws {
        // What libraries make once.
        let small = ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        try store(0, body, in: small)
        _ = try hit(0, in: small)?.response
        let cache = ResponseCache(memoryCapacity: capacity, diskCapacity: 0, diskPath: nil)
        let (heap, resident) = (Int(cs_heap_bytes_in_use()), try residentBytes())
        func report(_ moment: String) throws {
            say("\(moment): \(Int(cs_heap_bytes_in_use()) - heap) heap, \(try residentBytes() - resident) resident")
        }
        var count = 0
        var usage = -1
        // Full, with the first few evicted.
        while cache.currentMemoryUsage > usage || count % 64 != 0 {
            usage = cache.currentMemoryUsage
            try store(count, body, in: cache)
            count += 1
        }
        try report("stored")
        for _ in 0..<rounds {
            for number in 0..<count { _ = try hit(number, in: cache) }
        }
        try report("hit")
        var found = 0
        for _ in 0..<rounds {
            found = 0
            for number in 0..<count {
                guard let cached = try hit(number, in: cache) else { continue }
                guard (cached.response as? HTTPURLResponse)?.statusCode == 200, cached.data.count == body else {
                    say("problem: \(number) is not what was stored")
                    exit(1)
                }
                found += 1
            }
        }
        try report("read")
        say("entries: \(found)")
    }

    private static func url(_ number: Int) throws -> URL {
        guard let url = URL(string: "https://img.example.com/photos/\(number)/thumbnail-00000000.jpg") else {
            throw URLError(.badURL)
        }
        return url
    }

    private static func hit(_ number: Int, in cache: ResponseCache) throws -> CachedURLResponse? {
        cache.cachedResponse(for: URLRequest(url: try url(number)))
    }

    private static func store(_ number: Int, _ body: Int, in cache: ResponseCache) throws {
        let url = try url(number)
        let fields = [
            "Content-Type": "image/jpeg", "Cache-Control": "max-age=600", "Date": "Sun, 06 Nov 1994 08:49:37 GMT",
            "Content-Length": "\(body)", "ETag": "\"abc\(number)\"",
        ]
        guard let head = HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: fields)
        else { throw URLError(.badServerResponse) }
        let data = Data(repeating: UInt8(truncatingIfNeeded: number), count: body)
        cache.storeCachedResponse(CachedURLResponse(response: head, data: data), for: URLRequest(url: url))
    }

    /// Bytes of this process in physical memory, by `/proc/self/statm`.
    private static func residentBytes() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        let fields = text.split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { throw CocoaError(.fileReadCorruptFile) }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
