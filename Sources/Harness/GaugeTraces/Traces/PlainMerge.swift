/// The requests of several files in the order of their times, read in blocks: at most 1,024 requests of each file wait.
struct PlainMerge {
    private struct Part {
        var requests: [PlainRequest]
        var taken = 0

        var first: PlainRequest? { taken < requests.count ? requests[taken] : nil }
    }

    private static let block = 1024

    private var parts: [Part]
    /// The files that have not ended. The first one's requests in waiting may be used up.
    private var times: FileTimes

    /// - Parameters:
    ///   - heads: the first request of each file, which has been read; `nil` for a file that has ended.
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

    /// Appends requests up to the capacity of the block. Reads a file only while the block is empty, so that an error is
    /// thrown when the requests before it have been used.
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
        // Without a next request the file stays the first: its time is not above that of any other.
        if let next = parts[file].first { times.advance(to: next.time) }
        return request
    }

    /// Reads on in the first file, whose requests in waiting are used up.
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
