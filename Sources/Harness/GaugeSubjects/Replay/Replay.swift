import GaugeMeasurement
import GaugeSupport
import GaugeTraces

/// Sends the requests of a trace to a subject, and stores each missed object.
///
/// Each request is one lookup; a missed object is stored at once, as if the origin had been asked. Every returned body
/// is checked completely. If the trace has methods, statuses or header fields, the caching rules decide which responses
/// may be reused and stored, and for how long: a hit on a body that is no longer fresh counts as a miss.
///
/// Memory: the trace's longest line, the longest body, 50 to 150 bytes for each object, the keys of 131,072 objects,
/// and for the bounds as much as ``ReuseLog`` states.
package struct Replay: ~Copyable {
    private let settings: ReplaySettings
    private let subject: ReplayedSubject
    private var result = ReplayResult()
    private var objects = ReplayedObjects()
    private var log: ReuseLog?
    /// The time of the current request. It stands still where a trace goes back in time.
    private var now = -Double.infinity

    /// Makes the subject.
    package init(_ type: any CacheSubject.Type, settings: ReplaySettings, answers: Answers) throws {
        self.settings = settings
        subject = try type.replayed(
            settings.configuration, answers: answers, urls: settings.urls, longest: settings.longestBody)
        log = settings.wantsBounds ? ReuseLog() : nil
    }

    /// Replays a trace to its end.
    ///
    /// - Parameters:
    ///   - isStopped: whether to stop. Asked at every 1,024th request (at every request if 1,024 take long to become
    ///     due), and at the end of the available input.
    ///   - wait: waits for so many nanoseconds, until a request is due.
    ///   - progress: called at the same times with the progress so far.
    /// - Throws: ``TraceError`` when the trace is damaged.
    package static func run(
        _ type: any CacheSubject.Type, _ reader: inout TraceReader, settings: ReplaySettings, answers: Answers,
        isStopped: () -> Bool = { false }, wait: @escaping (UInt64) -> Void = spinWait,
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
        // The input also ends when the replay is stopped while it waits for input.
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
        // Sizes do not matter when the capacity counts entries.
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
        // Not for requests that bypass the cache: they do not change the stored size.
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

    /// A request that no cache answers or stores. It reaches the subject only if it invalidates a stored response.
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
