import GaugeTraces
import Platform

/// Sends the requests of a trace to a subject, and stores each missed object.
///
/// Each request is a lookup; a missed object is stored at once, as if the origin had been asked. Every returned body is
/// checked completely. If the trace has methods, statuses or header fields, the caching rules decide which responses
/// may be reused and stored, and for how long: a hit on a body that isn't fresh anymore counts as a miss.
///
/// Memory: the trace's longest line, the longest body, 50 to 150 bytes for each object, the keys of 131,072 objects,
/// and for the bounds as much as ``ReuseLog`` states.
package struct Replay: ~Copyable {
    private let settings: ReplaySettings
    private let subject: ReplayedSubject
    private var result = ReplayResult()
    /// By object, bytes of the body last given to the subject; filled only if sizes don't tell bodies apart.
    private var storedSizes: [Int] = []
    /// By object, when the response that the subject holds stops being fresh, on the clock of the trace. Those beyond
    /// the end never expire.
    private var expiries: [Double] = []
    /// By object, when the head of that response was received, if after the request. Those beyond the end came at once.
    private var arrivals: [Double] = []

    package init(_ type: any CacheSubject.Type, settings: ReplaySettings, answers: Answers) throws {
        self.settings = settings
        subject = try type.replayed(
            settings.configuration, answers: answers, urls: settings.urls, longest: settings.longestBody)
    }

    /// Replays a trace to its end.
    ///
    /// - Parameters:
    ///   - isStopped: whether to stop; asked about every 1,024 requests (at every request if they take long to become
    ///     due), and at the end of the available input.
    ///   - wait: waits for so many nanoseconds, until a request is due.
    ///   - progress: called as often, with the progress so far.
    /// - Throws: ``TraceError`` when the trace is damaged, or has no times although requests are to be sent at them.
    package static func run(
        _ type: any CacheSubject.Type, _ reader: inout TraceReader, settings: ReplaySettings, answers: Answers,
        isStopped: () -> Bool = { false }, wait: @escaping (UInt64) -> Void = spinWait,
        progress: (HitCounts) -> Void = { _ in }
    ) throws -> ReplayResult {
        var replay = try Replay(type, settings: settings, answers: answers)
        var recorder = LatencyRecorder()
        var times: TraceTimes?
        if case .traceTimes(let speedup) = settings.pace { times = TraceTimes(speedup: speedup) }
        let loop = settings.pace.isOpen ? OpenLoop(rate: settings.pace.rate ?? 1, wait: wait) : nil
        let isSlow = settings.pace.rate.map { $0 < 10_000 } ?? settings.pace.isOpen
        var requests = DecidedRequests(reader, settings.accessRules, settings.wantsBounds ? ReuseLog() : nil)
        defer { reader = requests.reader }
        let isInBlocks = loop == nil && requests.hasBlocks
        if isInBlocks {
            try requests.forEachBlock { block in
                replay.send(block, &recorder)
                progress(replay.result.counts)
                return !isStopped()
            }
        }
        while !isInBlocks, let (request, access) = try requests.next() {
            if requests.reader.count & 1023 == 0 || isSlow {
                if isStopped() { break }
                progress(replay.result.counts)
            }
            let others = requests.invalidated
            guard let loop else {
                replay.send(request, access, ending: others, &recorder)
                continue
            }
            if times != nil, request.time == nil, requests.reader.count == 1 {
                throw TraceError(
                    requests.reader.name, .whole,
                    "has no times; leave out --times, or send its requests evenly with --rate")
            }
            loop.request(dueAt: times?.due(request), recordingInto: &recorder) {
                replay.send(request, access, ending: others, &$0)
            }
        }
        // The input also ends if the replay is stopped while waiting for it.
        replay.result.isStopped = isStopped()
        replay.result.latency = recorder.histograms
        replay.result.openLoop = loop?.times
        replay.result.cutPauses = times?.cut ?? CutPauses()
        replay.result.digest = requests.reader.digest
        replay.result.skipped = requests.reader.skipped
        replay.result.firstSkipped = requests.reader.firstSkipped
        replay.result.changes = requests.changes
        replay.result.uncached = requests.uncached
        replay.result.settled = requests.reader.settledSizes
        if let log = requests.takeLog() {
            replay.result.bounds = Bounds(log, capacity: settings.boundedCapacity(of: type.capabilities))
        }
        return replay.result
    }

    private mutating func send(
        _ request: TraceRequest, _ access: TraceAccess, ending others: [InvalidatedObject],
        _ recorder: inout LatencyRecorder
    ) {
        if request.lacksSize { result.unsized += 1 } else if request.size == nil { result.bodiless += 1 }
        let url = TracedVariants.url(request.url, of: access.variant)
        send(access.variant ?? request.id, url, access, &recorder)
        for other in others where subject.choose(nil, other.id, other.url) { subject.remove(other.id, &recorder) }
    }

    /// Sends requests read together. Their keys are prefetched; the subject's memory isn't, since that would change its
    /// latencies.
    private mutating func send(_ block: DecidedRequests.Block, _ recorder: inout LatencyRecorder) {
        let (requests, accesses) = (block.requests, block.accesses)
        for index in requests.indices {
            if index + 2 * Self.ahead < requests.count {
                subject.addresses.prefetchPlace(accesses[index + 2 * Self.ahead].object)
            }
            if index + Self.ahead < requests.count { subject.addresses.prefetch(accesses[index + Self.ahead].object) }
            if requests[index].size < 0 { result.unsized += 1 }
            send(requests[index].id, nil, accesses[index], &recorder)
        }
    }

    /// How many requests ahead memory is prefetched.
    private static var ahead: Int { 8 }

    private mutating func send(_ id: UInt64, _ url: String?, _ access: TraceAccess, _ recorder: inout LatencyRecorder) {
        guard !access.isPassed else { return pass(id, url, access, &recorder) }
        guard subject.choose(access.object, id, url) else {
            result.refused += 1
            result.counts.countMiss(bytes: access.requested)
            return
        }
        if access.mayBeAnswered {
            guard !isAnswered(id, access, &recorder) else { return }
        } else {
            result.unanswerable += 1
            result.counts.countMiss(bytes: access.requested)
        }
        switch access.response {
        case .stored(let expiry): store(id, access, expiry: expiry, &recorder)
        case .removes:
            result.unstorable += 1
            subject.remove(id, &recorder)
        case .keeps: result.unstorable += 1
        }
    }

    /// Looks the object up.
    ///
    /// - Returns: whether it was a hit, so that the origin isn't asked.
    private mutating func isAnswered(_ id: UInt64, _ access: TraceAccess, _ recorder: inout LatencyRecorder) -> Bool {
        let size = expectedSize(id, access)
        let answer = subject.lookUp(
            id, version(ofSize: size), settings.bodyCount(ofSize: size), access.isChanged, &recorder)
        guard case .hit = answer else {
            result.counts.count(answer, bytes: access.requested)
            if answer == .outdated { result.outdated += 1 }
            return false
        }
        guard access.object >= expiries.count || access.now < expiries[access.object] else {
            result.expired += 1
            result.counts.countMiss(bytes: access.requested)
            return false
        }
        result.counts.count(answer, bytes: access.requested)
        if access.object < arrivals.count, access.now < arrivals[access.object] { result.shared += 1 }
        if access.updatesCost, size != access.size { give(id, access, &recorder) }
        return true
    }

    private mutating func store(
        _ id: UInt64, _ access: TraceAccess, expiry: Double, _ recorder: inout LatencyRecorder
    ) {
        if access.object < expiries.count {
            expiries[access.object] = expiry
        } else if expiry < .infinity {
            while expiries.count < access.object { expiries.append(.infinity) }
            expiries.append(expiry)
        }
        if access.object < arrivals.count {
            arrivals[access.object] = access.arrival
        } else if access.arrival > access.now {
            while arrivals.count < access.object { arrivals.append(-.infinity) }
            arrivals.append(access.arrival)
        }
        give(id, access, &recorder)
    }

    /// Gives the subject the body of the request, or removes the earlier one if this one is too large for any tier.
    private mutating func give(_ id: UInt64, _ access: TraceAccess, _ recorder: inout LatencyRecorder) {
        let count = settings.bodyCount(ofSize: access.size)
        guard count <= settings.longestBody else {
            result.tooLarge += 1
            return subject.remove(id, &recorder)
        }
        if !settings.sizeChanges.tellsVersions {
            while storedSizes.count <= access.object { storedSizes.append(-1) }
            storedSizes[access.object] = access.size
        }
        subject.store(id, version(ofSize: access.size), count, &recorder)
    }

    /// Bytes of the body that the subject may hold.
    private func expectedSize(_ id: UInt64, _ access: TraceAccess) -> Int {
        if settings.sizeChanges.tellsVersions { return access.updatesCost ? settings.sizes.size(of: id) : access.size }
        guard access.object < storedSizes.count, storedSizes[access.object] >= 0 else { return access.size }
        return storedSizes[access.object]
    }

    private func version(ofSize size: Int) -> UInt64 { settings.configuration.entryLimit == nil ? UInt64(size) + 1 : 1 }

    /// A request that no cache answers or stores. The subject sees it only if it invalidates a stored response.
    private mutating func pass(_ id: UInt64, _ url: String?, _ access: TraceAccess, _ recorder: inout LatencyRecorder) {
        result.passed += 1
        result.counts.countMiss(bytes: access.requested)
        if access.response == .removes, subject.choose(nil, id, url) { subject.remove(id, &recorder) }
    }
}

/// The child process that runs a replay, on our input, output and error streams.
package struct ReplayProcess {
    private let child: ChildProcess

    /// Starts `replay-worker` of this executable.
    package init(arguments: [String]) throws {
        guard let executable = ownExecutablePath() else {
            throw GaugeError("the path of this executable is unknown; no replay can be started")
        }
        do {
            child = try ChildProcess(
                executable, name: CommandLine.arguments[0], arguments: ["replay-worker"] + arguments,
                environment: ChildProcess.environmentWithoutBacktraces,
                input: .inherited, output: .inherited, errors: .inherited)
        } catch {
            throw GaugeError("a replay cannot be started from \(executable): \(error)")
        }
    }

    /// Waits until the process has ended. It has its own process group, so interruptions are passed on to it.
    package func wait(passingOn interruption: Interruption) -> ChildProcess.End {
        while !interruption.isRequested {
            if let end = child.wait(seconds: 0) { return end }
            interruption.wait(20_000_000)
        }
        child.signal(SIGINT)
        return child.wait()
    }
}
