extension MissRatioCurveMaker {
    /// Adds all requests of a trace.
    ///
    /// - Parameters:
    ///   - first: a request that has been read already.
    ///   - isStopped: whether to stop. Asked about every thousand requests.
    ///   - progress: called as often, with the requests so far.
    /// - Throws: ``TraceError`` when the trace is damaged.
    package mutating func read(
        _ reader: inout TraceReader, first: TraceRequest, _ rules: inout AccessRules, isStopped: () -> Bool,
        progress: (Int) -> Void = { _ in }
    ) throws(TraceError) {
        add(first, &rules)
        var block: [PlainRequest] = []
        block.reserveCapacity(Self.block)
        let isPlain = reader.isPlain && takesPlain(rules)
        while !isStopped() {
            progress(requests)
            if isPlain {
                try reader.read(into: &block)
                if !block.isEmpty {
                    add(block, &rules)
                    continue
                }
            }
            for _ in 0..<Self.block {
                guard let request = try reader.next() else { return }
                add(request, &rules)
                if isPlain { break }
            }
        }
    }

    private static var block: Int { 1024 }

    private mutating func add(_ request: TraceRequest, _ rules: inout AccessRules) {
        if request.size == nil { unsized += 1 }
        if let hash = hash(of: request.id) {
            let stated = isSampled ? request.size ?? rules.sizes.size(of: request.id) : nil
            add(rules.access(request), hash: hash, stated: stated)
        } else {
            pass(size: request.size ?? rules.sizes.size(of: request.id))
        }
    }

    /// Adds requests of which no more is known. The memory of a block is asked for before the first is added, so that the
    /// loads overlap.
    private mutating func add(_ block: [PlainRequest], _ rules: inout AccessRules) {
        rules.objects.reserve(block.count)
        for request in block { rules.objects.prefetch(request.id) }
        for request in block {
            if request.size < 0 { unsized += 1 }
            add(rules.access(request))
        }
    }
}
