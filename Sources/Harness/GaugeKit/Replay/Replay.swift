/// Sends the requests of a trace to a subject, and stores in it what it misses.
///
/// Each request is one lookup; what is not answered is stored at once, as if the origin had been asked. Every body that
/// comes back is checked whole. Where the trace has methods, statuses or header fields, the caching rules say what may
/// be answered and stored, and for how long: a hit on a body that is no longer fresh is a miss.
///
/// Takes memory for the trace's longest line, the longest body, 50 to 150 bytes for each object, the keys of 131,072, and
/// for the bounds what ``ReuseLog`` says.
struct Replay: ~Copyable {
    private let settings: ReplaySettings
    private let subject: ReplayedSubject
    private var result = ReplayResult()
    private var objects = ReplayedObjects()
    private var log: ReuseLog?
    /// The time of the request in use. Where a trace goes back in time, it stands still.
    private var now = -Double.infinity

    /// Makes the subject.
    init(_ type: any CacheSubject.Type, settings: ReplaySettings, answers: Answers) throws {
        self.settings = settings
        subject = try type.replayed(
            settings.configuration, answers: answers, urls: settings.urls, longest: settings.longestBody)
        log = settings.wantsBounds ? ReuseLog() : nil
    }

    /// Replays a trace to its end.
    ///
    /// - Parameters:
    ///   - isStopped: whether to stop; asked at every 1,024th request (at each, where 1,024 take long to become due), and
    ///     at the end of what can be read.
    ///   - wait: waits until a request is due, nanoseconds.
    ///   - progress: told at the same times how far it is.
    /// - Throws: ``TraceError`` when the trace is damaged.
    static func run(
        _ type: any CacheSubject.Type, _ reader: inout TraceReader, settings: ReplaySettings, answers: Answers,
        isStopped: () -> Bool = { false }, wait: @escaping (UInt64) -> Void = OpenLoop.spin,
        progress: (HitCounts) -> Void = { _ in }
    ) throws -> ReplayResult {
        var replay = try Replay(type, settings: settings, answers: answers)
        var recorder = LatencyRecorder()
        let loop = settings.rate.map { OpenLoop(rate: $0, wait: wait) }
        let isSlow = settings.rate.map { $0 < 10_000 } ?? false
        while let request = try reader.next() {
            if reader.count & 1023 == 0 || isSlow {
                if isStopped() { break }
                progress(replay.result.counts)
            }
            guard let loop else {
                replay.send(request, &recorder)
                continue
            }
            loop.request(recordingInto: &recorder) { replay.send(request, &$0) }
        }
        // The input ends by itself when it is waited for and the replay is stopped.
        replay.result.isStopped = isStopped()
        replay.result.latency = recorder.histograms
        replay.result.openLoop = loop?.times
        replay.result.digest = reader.digest
        replay.result.skipped = reader.skipped
        replay.result.firstSkipped = reader.firstSkipped
        replay.result.bounds = replay.log.flatMap {
            Bounds($0, capacity: settings.boundedCapacity(of: type.capabilities))
        }
        return replay.result
    }

    private mutating func send(_ request: TraceRequest, _ recorder: inout LatencyRecorder) {
        let place = objects.place(of: request.id)
        var object = objects[place]
        let number = object.number
        let size = request.size ?? (object.size >= 0 ? object.size : settings.sizes.size(of: request.id))
        // What counts entries does not care for sizes.
        let isChanged = object.size >= 0 && object.size != size && settings.configuration.entryLimit == nil
        now = max(now, request.time ?? now)
        let verdict =
            if let exchange = request.exchange { settings.rules.verdict(on: exchange) } else {
                CachingVerdict.unlimited
            }
        let expiry = verdict.freshSeconds.map { Self.expiry(of: request, freshFor: $0) }
        guard verdict.mayBeAnswered || expiry != nil else {
            pass(request, size: size, invalidates: verdict.invalidates, &recorder)
            return
        }
        // Not of what passed by, which says nothing of what is stored.
        object.size = size
        log?.note(
            &object.past, object: number, size: size, isChanged: isChanged, now: now,
            mayBeAnswered: verdict.mayBeAnswered,
            expiry: expiry)
        objects[place] = object

        let count = settings.bodyCount(ofSize: size)
        guard count <= settings.longestBody else {
            result.tooLarge += 1
            result.counts.countMiss(bytes: size)
            return
        }
        guard subject.choose(number, request.id, request.url) else {
            result.refused += 1
            result.counts.countMiss(bytes: size)
            return
        }
        let version = settings.configuration.entryLimit == nil ? UInt64(size) + 1 : 1
        if verdict.mayBeAnswered {
            let answer = subject.lookUp(request.id, version, count, isChanged, &recorder)
            if case .hit = answer, now >= object.expiry {
                result.expired += 1
                result.counts.countMiss(bytes: size)
            } else {
                result.counts.count(answer, bytes: size)
                if case .hit = answer { return }
                if answer == .outdated { result.outdated += 1 }
            }
        } else {
            result.unanswerable += 1
            result.counts.countMiss(bytes: size)
        }
        guard let expiry else {
            result.unstorable += 1
            subject.remove(request.id, &recorder)
            return
        }
        if expiry != object.expiry { objects[place].expiry = expiry }
        subject.store(request.id, version, count, &recorder)
    }

    /// What no cache answers or stores: it reaches the subject only if it ends the life of what is stored.
    private mutating func pass(
        _ request: TraceRequest, size: Int, invalidates: Bool, _ recorder: inout LatencyRecorder
    ) {
        result.passed += 1
        result.counts.countMiss(bytes: size)
        if invalidates, subject.choose(nil, request.id, request.url) { subject.remove(request.id, &recorder) }
    }

    private static func expiry(of request: TraceRequest, freshFor seconds: Int64) -> Double {
        guard seconds < .max, let sent = request.exchange?.sent else { return .infinity }
        return sent + (request.exchange?.duration ?? 0) + Double(seconds)
    }
}
