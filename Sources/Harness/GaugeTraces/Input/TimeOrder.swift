/// Requests that wait until they are next in time: a heap with the earliest on top; of equal times, the first inserted.
struct TimeOrder {
    private var heap: [(time: Double, number: Int, request: TraceRequest)] = []
    private var inserted = 0
    private var fieldBytes = 0

    /// The most requests, and bytes of header fields and URLs, that wait.
    static let mostRequests = 1 << 16
    static let mostBytes = 64 << 20

    /// Whether a request has to be taken before another is inserted.
    var isFull: Bool { heap.count >= Self.mostRequests || fieldBytes >= Self.mostBytes }

    var isEmpty: Bool { heap.isEmpty }

    mutating func insert(_ request: TraceRequest) {
        heap.append((request.time ?? -.infinity, inserted, request))
        inserted += 1
        fieldBytes += Self.bytes(of: request)
        var at = heap.count - 1
        while at > 0, isBefore(at, (at - 1) / 2) {
            heap.swapAt(at, (at - 1) / 2)
            at = (at - 1) / 2
        }
    }

    /// Takes the earliest request.
    mutating func removeFirst() -> TraceRequest? {
        guard let first = heap.first?.request else { return nil }
        fieldBytes -= Self.bytes(of: first)
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var at = 0
        while 2 * at + 1 < heap.count {
            var child = 2 * at + 1
            if child + 1 < heap.count, isBefore(child + 1, child) { child += 1 }
            guard isBefore(child, at) else { break }
            heap.swapAt(at, child)
            at = child
        }
        return first
    }

    private func isBefore(_ one: Int, _ other: Int) -> Bool {
        (heap[one].time, heap[one].number) < (heap[other].time, heap[other].number)
    }

    private static func bytes(of request: TraceRequest) -> Int {
        let fields = (request.exchange?.requestFields ?? []) + (request.exchange?.responseFields ?? [])
        return fields.reduce(request.url?.utf8.count ?? 0) { $0 + $1.name.count + $1.value.count + 64 }
    }
}
