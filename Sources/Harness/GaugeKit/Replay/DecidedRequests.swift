import GaugeTraces

/// The requests of a trace with what the rules decide about each, noted for the bounds.
///
/// A trace without URLs and HTTP metadata can be read in blocks, whose objects are loaded together.
struct DecidedRequests {
    /// Requests read together, in order.
    struct Block {
        fileprivate(set) var requests: [PlainRequest] = []
        fileprivate(set) var accesses: [TraceAccess] = []

        init() {
            requests.reserveCapacity(1024)
            accesses.reserveCapacity(1024)
        }
    }

    private(set) var reader: TraceReader
    private var rules: AccessRules
    private var log: ReuseLog?

    init(_ reader: TraceReader, _ rules: AccessRules, _ log: ReuseLog?) {
        (self.reader, self.rules, self.log) = (reader, rules, log)
    }

    /// The requests so far whose object had another size than at the request before.
    var changes: ChangedSizes { rules.changes }

    /// The requests so far that no cache with these rules answers.
    var uncached: UncachedRequests { rules.uncached }

    /// Whether ``forEachBlock(_:)`` can be used.
    var hasBlocks: Bool { reader.isPlain }

    mutating func next() throws(TraceError) -> (TraceRequest, TraceAccess)? {
        guard let request = try reader.next() else { return nil }
        let access = rules.access(request)
        if !access.isPassed { note(access) }
        if log != nil { for other in rules.invalidated { rules.objects[other.place].past = ReuseLog.Past() } }
        return (request, access)
    }

    /// The other objects whose entries the answer to the last request ended.
    var invalidated: [InvalidatedObject] { rules.invalidated }

    /// Reads the trace to its end in blocks.
    ///
    /// - Parameter body: uses a block; returns whether to go on.
    /// - Throws: ``TraceError``, once the requests before the damage have been used.
    mutating func forEachBlock(_ body: (Block) -> Bool) throws(TraceError) {
        var block = Block()
        repeat {
            try fill(&block)
        } while !block.requests.isEmpty && body(block)
    }

    /// Hands over the log at the end of the trace, and releases the state of the objects: no request follows.
    mutating func takeLog() -> ReuseLog? {
        rules.objects = TracedObjects()
        return log.take()
    }

    private mutating func fill(_ block: inout Block) throws(TraceError) {
        block.accesses.removeAll(keepingCapacity: true)
        try reader.read(into: &block.requests)
        if block.requests.isEmpty, let request = try reader.next() { block.requests.append(PlainRequest(request)) }
        // Prefetches all objects before the first is used, so that the loads overlap.
        rules.objects.reserve(block.requests.count)
        for request in block.requests { rules.objects.prefetch(request.id) }
        for request in block.requests {
            let access = rules.access(plain: request)
            note(access)
            block.accesses.append(access)
        }
    }

    private mutating func note(_ access: TraceAccess) {
        if access.hasKey { log?.note(&rules.objects[access.place].past, access) }
    }
}
