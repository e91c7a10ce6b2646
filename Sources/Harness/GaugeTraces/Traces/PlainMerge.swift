/// Merges the requests of several files in order of time, in blocks: at most 1,024 requests of each file wait.
struct PlainMerge {
    private struct Part {
        var requests: [PlainRequest]
        var taken = 0

        var first: PlainRequest? { taken < requests.count ? requests[taken] : nil }
    }

    private static let block = 1024

    private var parts: [Part]
    /// The files that haven't ended. The first one's waiting requests may be used up.
    private var times: FileTimes

    /// - Parameters:
    ///   - heads: the first request of each file; `nil` for one that has ended.
    ///   - times: the files that have a request.
    init(_ heads: [TraceRequest?], _ times: FileTimes) {
        parts = heads.map { Part(requests: $0.map { [PlainRequest($0)] } ?? []) }
        self.times = times
    }

    /// Whether every request has been passed on.
    var isEmpty: Bool { times.first == nil }

    /// The next request, `nil` at the end.
    mutating func next(_ files: inout [TraceFile]) throws(TraceError) -> PlainRequest? {
        while let file = times.first {
            if let request = take(from: file) { return request }
            try refill(file, &files)
        }
        return nil
    }

    /// Appends requests up to the block's capacity. Reads a file only while the block is empty, so that an error is
    /// thrown after the requests before it have been used.
    mutating func read(into block: inout [PlainRequest], _ files: inout [TraceFile]) throws(TraceError) {
        while block.count < block.capacity, let file = times.first {
            if let request = take(from: file) {
                block.append(request)
            } else if block.isEmpty {
                try refill(file, &files)
            } else {
                return
            }
        }
    }

    @inline(__always)
    private mutating func take(from file: Int) -> PlainRequest? {
        guard let request = parts[file].first else { return nil }
        parts[file].taken += 1
        // Without a next request the file stays the first: its time isn't above any other's.
        if let next = parts[file].first { times.advance(to: next.time) }
        return request
    }

    /// Reads on in the first file, whose waiting requests are used up.
    private mutating func refill(_ file: Int, _ files: inout [TraceFile]) throws(TraceError) {
        parts[file].requests.reserveCapacity(Self.block)
        parts[file].taken = 0
        try files[file].read(into: &parts[file].requests)
        if parts[file].requests.isEmpty, let request = try files[file].next() {
            parts[file].requests.append(PlainRequest(request))
        }
        if let next = parts[file].first { times.advance(to: next.time) } else { times.removeFirst() }
    }
}

/// The files of a trace by the times of their next requests: a heap with the earliest on top, and of equal times the
/// file named first.
struct FileTimes {
    private var heap: [(time: Double, file: Int)] = []

    init(_ files: [(time: Double, file: Int)]) {
        // A sorted array is a heap.
        heap = files.sorted { $0 < $1 }
    }

    /// The file with the earliest request.
    var first: Int? { heap.first?.file }

    /// Sets the time of that file's next request. A time before the last one, or none, counts as the last one.
    mutating func advance(to time: Double?) {
        heap[0].time = max(heap[0].time, time ?? heap[0].time)
        sink()
    }

    /// Removes the file with the earliest request.
    mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        sink()
    }

    private mutating func sink() {
        var at = 0
        while 2 * at + 1 < heap.count {
            var child = 2 * at + 1
            if child + 1 < heap.count, heap[child + 1] < heap[child] { child += 1 }
            guard heap[child] < heap[at] else { return }
            heap.swapAt(at, child)
            at = child
        }
    }
}
