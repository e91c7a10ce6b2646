/// Sends the requests of a trace to a subject, and stores in it what it misses.
///
/// Each request is one lookup; what is not answered is stored at once, as if the origin had been asked. Every body that
/// comes back is checked whole. Takes memory for the trace's longest line, the longest body and, if the trace says
/// sizes, 40 bytes for each object.
struct Replay<Subject: CacheSubject>: ~Copyable {
    private let settings: ReplaySettings
    private let checked: CheckedSubject<Subject>
    private var recorder = LatencyRecorder()
    private var result = ReplayResult()
    /// The size that each object had last. An object whose size changes is a new version of it.
    private var lastSizes: [UInt64: Int] = [:]

    /// Makes the subject.
    init(_ type: Subject.Type, settings: ReplaySettings, answers: Answers) throws {
        self.settings = settings
        checked = CheckedSubject(
            try Subject(settings.configuration), answers: answers, urls: settings.urls, longest: settings.longestBody)
    }

    /// Replays a trace to its end.
    ///
    /// - Parameters:
    ///   - isStopped: whether to stop; asked at every 1,024th request, and at the end of what can be read.
    ///   - progress: told at the same times how far it is.
    /// - Throws: ``TraceError`` when the trace is damaged.
    static func run(
        _ type: Subject.Type, _ reader: inout TraceReader, settings: ReplaySettings, answers: Answers,
        isStopped: () -> Bool = { false }, progress: (HitCounts) -> Void = { _ in }
    ) throws -> ReplayResult {
        var replay = try Replay(type, settings: settings, answers: answers)
        while let request = try reader.next() {
            if reader.count & 1023 == 0 {
                if isStopped() { break }
                progress(replay.result.counts)
            }
            replay.send(request)
        }
        // The input ends by itself when it is waited for and the replay is stopped.
        replay.result.isStopped = isStopped()
        replay.result.latency = replay.recorder.histograms
        return replay.result
    }

    private mutating func send(_ request: TraceRequest) {
        let size = request.size ?? settings.sizes.size(of: request.id)
        let isChanged = noteSize(request)
        let count = settings.bodyCount(ofSize: size)
        guard count <= settings.longestBody else {
            result.tooLarge += 1
            result.counts.countMiss(bytes: size)
            return
        }
        checked.namedURL = request.url
        guard let key = try? checked.key(request.id) else {
            result.refused += 1
            result.counts.countMiss(bytes: size)
            return
        }
        let version = settings.configuration.entryLimit == nil ? UInt64(size) + 1 : 1
        let answer = checked.lookUp(
            key, id: request.id, version: version, count: count, mayBeOutdated: isChanged, &recorder)
        result.counts.count(answer, bytes: size)
        if case .hit = answer { return }
        if answer == .outdated { result.outdated += 1 }
        checked.store(key, id: request.id, version: version, count: count, &recorder)
    }

    /// Whether the object has another size than when it was asked for last. What counts entries does not care.
    private mutating func noteSize(_ request: TraceRequest) -> Bool {
        guard let size = request.size, settings.configuration.entryLimit == nil,
            let before = lastSizes.updateValue(size, forKey: request.id)
        else { return false }
        return before != size
    }
}
