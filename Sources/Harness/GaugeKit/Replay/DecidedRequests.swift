import GaugeTraces

/// The requests of a trace, each with the decision of the rules, and noted for the bounds.
///
/// Where a trace has neither URLs nor HTTP metadata, they can be read in blocks, whose objects are loaded together.
struct DecidedRequests {
    /// Requests that were read together, in their order.
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
    /// The log from which the bounds are computed; see ``takeLog()``.
    private var log: ReuseLog?

    init(_ reader: TraceReader, _ rules: AccessRules, _ log: ReuseLog?) {
        (self.reader, self.rules, self.log) = (reader, rules, log)
    }

    /// The requests so far for another size of their object than the one before.
    var changes: ChangedSizes { rules.changes }

    /// The requests so far that no cache with these rules answers.
    var uncached: UncachedRequests { rules.uncached }

    /// Whether ``forEachBlock(_:)`` can be used.
    var hasBlocks: Bool { reader.isPlain }

    /// The next request, with its access.
    mutating func next() throws(TraceError) -> (TraceRequest, TraceAccess)? {
        guard let request = try reader.next() else { return nil }
        let access = rules.access(request)
        if !access.isPassed { note(access) }
        return (request, access)
    }

    /// Reads the trace to its end in blocks.
    ///
    /// - Parameter body: uses a block. Returns whether to go on.
    /// - Throws: ``TraceError`` when the requests before the damage have been used.
    mutating func forEachBlock(_ body: (Block) -> Bool) throws(TraceError) {
        var block = Block()
        repeat {
            try fill(&block)
        } while !block.requests.isEmpty && body(block)
    }

    /// Hands the log over at the end of the trace, and gives up the state of the objects: no request follows.
    mutating func takeLog() -> ReuseLog? {
        rules.objects = TracedObjects()
        return log.take()
    }

    private mutating func fill(_ block: inout Block) throws(TraceError) {
        block.accesses.removeAll(keepingCapacity: true)
        try reader.read(into: &block.requests)
        if block.requests.isEmpty, let request = try reader.next() { block.requests.append(PlainRequest(request)) }
        // The memory of all objects is asked for before the first is used, so that the loads overlap.
        rules.objects.reserve(block.requests.count)
        for request in block.requests { rules.objects.prefetch(request.id) }
        for request in block.requests {
            let access = rules.access(plain: request)
            note(access)
            block.accesses.append(access)
        }
    }

    private mutating func note(_ access: TraceAccess) {
        guard log != nil, access.hasKey else { return }
        var expiry: Double?
        if case .stored(let moment) = access.response { expiry = moment }
        log?.note(
            &rules.objects[access.place].past, object: access.object, size: access.size,
            isChanged: access.isChanged, now: access.now, mayBeAnswered: access.mayBeAnswered, expiry: expiry,
            isKept: access.response == .keeps)
    }
}
