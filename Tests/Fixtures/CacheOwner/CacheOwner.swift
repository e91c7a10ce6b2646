import URLCaching

/// A separate process that opens a cache, for tests of two processes with one directory.
///
///     CacheOwner owning|lenient|shared|default DIRECTORY STEP…
///
/// If the directory is taken, `owning` prints the error and exits with 3, and `lenient` continues with memory alone.
/// `shared` uses the shared cache and `default` one without any argument, in their usual directory. Steps: `store URL
/// BODY`, `find URL`, `remove URL`, `fill COUNT`, which stores so many bodies of 100,000 bytes, `capacity BYTES` of the
/// disk, `describe`, and `hold`, which prints a line and then waits to be killed.
@main
struct CacheOwner {
    static func main() {
        var words = CommandLine.arguments.dropFirst()
        guard let mode = words.popFirst(), let directory = words.popFirst() else { exit(64) }
        let cache = open(mode, directory)
        while let step = words.popFirst() {
            switch step {
            case "store":
                guard let request = request(words.popFirst()), let body = words.popFirst() else { exit(64) }
                store(body, for: request, in: cache)
            case "find":
                guard let request = request(words.popFirst()) else { exit(64) }
                let found = cache.cachedResponse(for: request)
                say(found.map { String(decoding: $0.data, as: UTF8.self) } ?? "miss")
            case "remove":
                guard let request = request(words.popFirst()) else { exit(64) }
                cache.removeCachedResponse(for: request)
            case "fill":
                guard let count = words.popFirst().flatMap({ Int($0) }) else { exit(64) }
                for number in 0..<count {
                    guard let request = request("https://example.com/\(number)") else { exit(64) }
                    store(String(repeating: "x", count: 100_000), for: request, in: cache)
                }
            case "capacity":
                guard let capacity = words.popFirst().flatMap({ Int($0) }) else { exit(64) }
                cache.diskCapacity = capacity
            case "describe":
                let problem = cache.diskProblem.map { "\($0)" } ?? "no problem"
                say("\(cache.memoryCapacity) \(cache.diskCapacity) \(problem)")
            case "hold":
                say("holding")
                while true { sleep(1_000) }
            default: exit(64)
            }
        }
    }

    /// Prints a line at once. `print` would buffer it if the output is not a terminal.
    private static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

    private static func open(_ mode: String, _ directory: String) -> ResponseCache {
        switch mode {
        case "owning":
            do {
                return try ResponseCache(
                    owning: URL(filePath: directory), memoryCapacity: 1 << 20, diskCapacity: 1 << 20)
            } catch {
                FileHandle.standardError.write(Data("\(error)\n".utf8))
                exit(3)
            }
        case "lenient": return ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 1 << 20, diskPath: directory)
        case "shared": return .shared
        case "default": return ResponseCache()
        default: exit(64)
        }
    }

    private static func request(_ url: String?) -> URLRequest? {
        url.flatMap { URL(string: $0) }.map { URLRequest(url: $0) }
    }

    private static func store(_ body: String, for request: URLRequest, in cache: ResponseCache) {
        guard let url = request.url,
            let response = HTTPURLResponse(
                url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: ["Cache-Control": "max-age=60"])
        else { exit(64) }
        cache.storeCachedResponse(CachedURLResponse(response: response, data: Data(body.utf8)), for: request)
    }
}
