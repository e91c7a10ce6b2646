/// Requests in the order in which they came, in pieces of 64 KiB. Appending never copies the earlier ones, as an array does
/// when it grows, or when it is written to while a trace is made from a copy of it.
struct RequestChunks: Sendable {
    private static let chunk = 4096

    private var full: [[RequestLog.Request]] = []
    private var last: [RequestLog.Request] = []

    var count: Int { full.count * Self.chunk + last.count }

    mutating func append(_ request: RequestLog.Request) {
        if last.count == Self.chunk {
            full.append(last)
            last = []
        }
        if last.isEmpty { last.reserveCapacity(Self.chunk) }
        last.append(request)
    }

    func forEach(_ body: (RequestLog.Request) -> Void) {
        for chunk in full { chunk.forEach(body) }
        last.forEach(body)
    }
}
