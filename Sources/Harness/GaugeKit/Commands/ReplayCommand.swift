import Foundation
import GaugeTraces
import Platform

/// `replay`: sends the requests of a trace to one subject, and reports its hits.
struct ReplayCommand: GaugeCommand {
    static let judges = true

    static let specification = CommandSpecification(
        name: "replay", summary: "Replays a trace through a cache, and prints hits by tier and latency by outcome.",
        operands: ["FILE…"], options: ReplayOptions.all,
        notes: [.text(CommonOptions.sizeNote)] + TraceOptions.notes + [
            """
            After a miss the response is stored at once, as if the origin had answered. Where a trace has no sizes,
            bodies are \(BodySizes(.oneSize, seed: 0)), since it counts objects of one size, or as --sizes says, by key
            and seed. A key whose size changes is a new version, and a hit on the old one counts as a miss. Every body
            is checked on every hit.
            """,
            """
            For logs and HTTP archives, only responses that a private cache may store are stored. The header
            fields of an archive, or of a log that has them, determine for how long: a hit on an expired response counts
            as a miss. Without header fields responses never expire.
            """,
            """
            Without --rate each request is sent when the previous one is answered (closed loop), and latencies are those
            of the cache alone. With --rate requests are due at equal intervals (open loop), whatever times the trace
            has; its times then only determine expiry. With --times trace they are due at the times of the trace, and
            --speedup 60 makes an hour a minute; a pause of more than 60 s is cut to 60 s, and counted. Response times count from when a request was due, service times from
            when it was sent.
            """,
            """
            With --no-bodies the decisions of this package's tiers are simulated as mrc does: least recently used in
            memory, and behind it a disk tier that keeps a copy. Nothing is stored or checked, and there are no latencies
            and no bounds. Memory hits are those of a replay; a real disk tier evicts approximately in that order.
            """,
            """
            The measured ratios are compared with those of caches that know the future and hold as many bytes of bodies
            as the tiers together: Belady's MIN, the optimum, where all bodies have one size; otherwise PFOO-L, which no
            cache exceeds, and Belady by size, a heuristic. It also shows a cache without limits.
            """,
            """
            --format json has requests, hits, memory_hits, disk_hits, unknown_tier_hits (of a cache that does not report its
            tier), misses, hit_ratio, byte_hit_ratio, wrong, bounds, and latency by outcome in nanoseconds.
            """,
        ])

    let options: ReplayOptions

    init(_ arguments: ParsedArguments) throws { options = try ReplayOptions(arguments) }

    /// Starts a child process for the work, so that the directory is removed even if the subject crashes.
    func run(_ gauge: Gauge, console: Console) throws -> ExitCode {
        let chosen = try gauge.subject(named: options.subject)
        guard options.entries == nil || chosen.type.capabilities.contains(.entryLimit) else {
            throw UsageError(
                "\(chosen.type.name) cannot count entries; leave out --entries, or choose another --subject")
        }
        guard options.entries != nil || options.noBodies || !chosen.type.capabilities.countsEntries else {
            throw UsageError("\(chosen.type.name) counts entries alone; say how many it may hold: --entries 1000")
        }
        if options.noBodies { return try simulate(chosen.type, gauge, console) }
        try chosen.type.requirePolicy(options.policy)
        let temporary = try TemporaryDirectory(in: options.directory)
        defer { temporary.remove() }
        let interruption = try Interruption()
        let process = try ReplayProcess(arguments: options.arguments(directory: temporary.path))
        switch process.wait(passingOn: interruption) {
        case .exited(let code): return ExitCode(rawValue: code) ?? .failure
        case .crashed(let signal):
            console.note("\(chosen.type.name) \(WorkerFailure.crashed(signal: signal)) during the replay\n")
            return chosen.isPeer ? .failure : .wrongAnswer
        }
    }
}

/// `replay-worker`: the child process of `replay`. Hidden from the help.
struct ReplayWorkerCommand: GaugeCommand {
    static let specification = CommandSpecification(
        name: "replay-worker", summary: "Replays a trace for another process.", operands: ["FILE…"],
        options: ReplayOptions.all, isHidden: true)

    let options: ReplayOptions
    let directory: String

    init(_ arguments: ParsedArguments) throws {
        options = try ReplayOptions(arguments)
        guard let directory = options.directory else {
            throw UsageError("replay-worker needs --directory; the command replay gives it")
        }
        self.directory = directory
    }

    func run(_ gauge: Gauge, console: Console) throws -> ExitCode {
        WorkerCommand.leaveNoCore()
        let chosen = try gauge.subject(named: options.subject)
        return try options.trace.advising {
            var settings = options.settings(directory: directory, rules: gauge.cachingRules)
            // The bounds leave out URLs that the cache refuses.
            if !chosen.isPeer { settings.admission.keyBytes = gauge.admission?.keyBytes }
            return try replay(chosen.type, isPeer: chosen.isPeer, settings, console)
        }
    }

    private func replay(
        _ type: any CacheSubject.Type, isPeer: Bool, _ settings: ReplaySettings, _ console: Console
    ) throws -> ExitCode {
        let interruption = try Interruption()
        var reader = try options.trace.reader(interruption)
        let report = ReplayReport(options, subject: type, reader: reader, directory: directory)
        for warning in report.warnings { console.note("warning: \(warning)\n") }

        let answers = Answers()
        var progress = CountProgress("requests", on: console)
        defer { progress.clear() }
        let result = try Replay.run(
            type, &reader, settings: settings, answers: answers,
            isStopped: { interruption.isRequested }, wait: interruption.wait,
            progress: { counts in
                progress.show("hit ratio \(Quantity.percent(counts.hitRatio)) of \(counts.requests)")
            })
        progress.clear()
        guard result.counts.requests > 0 || interruption.isRequested else { throw reader.noRequest }
        try options.trace.warn(of: reader, console)
        try options.trace.requireKeys(result.uncached, reader)
        try console.write(report.text(of: result, width: console.width))
        if answers.count > 0 {
            console.note(TroubleReport.wrongAnswers(of: type.name, answers.count, answers.first))
            if !isPeer { return .wrongAnswer }
        }
        return interruption.isRequested ? .interrupted : options.trace.exitCode(after: reader, console)
    }
}

extension CacheSubject {
    /// Refuses a policy that the subject doesn't have.
    static func requirePolicy(_ policy: SubjectEvictionPolicy) throws(UsageError) {
        guard policy == .lru || capabilities.contains(.evictionPolicy) else {
            throw UsageError(
                "\(name) has no policy \(policy.rawValue); leave out --policy, or choose another --subject")
        }
    }
}

extension Gauge {
    /// The subject with this name, or else the first one under test.
    func subject(named name: String?) throws -> (type: any CacheSubject.Type, isPeer: Bool) {
        let all = subjects.map { (type: $0, isPeer: false) } + peers.map { (type: $0, isPeer: true) }
        guard let name else {
            guard let first = all.first else { throw UsageError("\(executable) has no subjects to replay to") }
            return first
        }
        guard let found = all.first(where: { $0.type.name == name }) else {
            let names = all.map { $0.type.name }
            throw UsageError(
                "there is no subject '\(name)'\(NearNames.question(name, among: names)); "
                    + "there are \(names.joined(separator: ", "))")
        }
        return found
    }
}
