import Foundation
import GaugeTraces
import Platform

/// The report of a replay, as text or JSON.
struct ReplayReport {
    private let options: ReplayOptions
    private let subject: String
    private let details: String
    private let capabilities: SubjectCapabilities
    private let format: TraceFormat
    private let isGuessed: Bool
    private let environment: RunEnvironment

    init(_ options: ReplayOptions, subject: any CacheSubject.Type, reader: TraceReader, directory: String?) {
        self.options = options
        self.subject = subject.name
        details = subject.details
        capabilities = subject.capabilities
        format = reader.format
        isGuessed = reader.isGuessed
        var environment = RunEnvironment(
            settings: RunSettings(seed: options.seed, memory: options.memory, disk: options.disk), directory: directory)
        // As the user would write them, not as passed to the child process.
        environment.arguments = ["replay"] + options.arguments(directory: nil)
        self.environment = environment
    }

    /// Reasons to trust the figures less.
    var warnings: [String] {
        guard options.entries == nil, options.disk.bytes > 0, capabilities.contains(.disk),
            let warning = environment.memoryWarning
        else { return [] }
        return [warning]
    }

    func text(of result: ReplayResult, width: Int = .max) throws -> String {
        switch options.format {
        case .text: tables(result, width: width)
        case .json: try json(result)
        }
    }

    private var policy: String { options.policy == .lru ? "" : ", policy \(options.policy.rawValue)" }

    private var capacity: String {
        if options.noBodies { return simulatedCapacity }
        if let entries = options.entries { return "\(entries) entries in memory, one shard, no disk tier" }
        let memory = capabilities.contains(.memory) ? "memory tier \(options.memory)" : "no memory tier"
        let disk =
            capabilities.contains(.disk)
            ? "disk tier \(options.disk) on \(environment.fileSystem ?? "an unknown file system")" : "no disk tier"
        return "\(memory), \(disk)"
    }

    private var simulatedCapacity: String {
        let unit = options.capacity.unit == .bytes ? "\(options.memory)" : "\(options.capacity.count) entries"
        let disk = options.diskCapacity == nil ? "no disk tier" : "disk tier \(options.disk)"
        return "least recently used, simulated: memory tier \(unit), \(disk); no body was made, stored or checked"
    }

    private var load: String {
        if options.noBodies { return "decisions only" }
        return switch options.pace {
        case .closedLoop: "closed loop: each request is sent when the one before it is answered"
        case .evenly(let rate):
            "open loop: \(JSONFields.text(rate)) requests a second, each sent when it is due; response times count from then"
        case .traceTimes(let speedup):
            "open loop: at the times of the trace, \(JSONFields.text(speedup)) times as fast; response times count from when a request is due"
        }
    }

    /// Where the lengths of the bodies came from.
    private func sizes(_ result: ReplayResult) -> String {
        let counts = result.counts
        let assumed = "\(options.trace.sizes(seed: options.seed))"
        let mean = Quantity.binary(Double(counts.requestedBytes) / Double(max(1, counts.requests)))
        let source =
            switch result.unsized {
            case 0: "from the trace, \(mean) on average"
            case (counts.requests - result.bodiless)...: "\(assumed), since the trace has none"
            case 1: "from the trace; for the one request without, the last of its object, or \(assumed)"
            default:
                "from the trace; for the \(result.unsized) requests without one, the last of their object, or \(assumed)"
            }
        return source + (options.entries == nil ? "" : "; 64 bytes stored for each, since entries are counted")
    }

    private func tables(_ result: ReplayResult, width: Int) -> String {
        let counts = result.counts
        func share(_ part: Int) -> String { Quantity.percent(Double(part) / Double(max(1, counts.requests))) }
        var rows = [
            ("trace", "\(options.trace.path) (\(format.rawValue)\(isGuessed ? ", recognised by its beginning" : ""))"),
            (
                "subject",
                options.noBodies ? capacity : "\(subject), \(capacity)\(policy)\(details.isEmpty ? "" : "; \(details)")"
            ),
            ("body sizes", sizes(result)),
            ("load", load), ("requests", "\(counts.requests)"),
        ]
        rows += counts.tiers.map { ($0.name, "\($0.count)  \(share($0.count))") }
        if result.shared > 0 { rows.append(("", "\(result.shared) of the hits share a fetch under way")) }
        rows.append(("misses", "\(counts.misses)  \(share(counts.misses))"))
        if result.outdated > 0 { rows.append(("", "\(result.outdated) of them hits on a size that had changed")) }
        if let text = SizeNotes.changed(result.changes) { rows.append(("", text)) }
        if result.tooLarge > 0 { rows.append(("", "\(result.tooLarge) of them larger than any tier")) }
        if result.refused > 0 { rows.append(("", "\(result.refused) of them with a URL that is not cached")) }
        if result.expired > 0 { rows.append(("", "\(result.expired) of them hits on expired responses")) }
        if result.unanswerable > 0 { rows.append(("", "\(result.unanswerable) of them for the origin only")) }
        if result.unstorable > 0 { rows.append(("", "\(result.unstorable) of them not to be stored")) }
        if result.passed > 0 { rows.append(("", "\(result.passed) of them neither to be answered nor stored")) }
        if counts.wrong > 0 { rows.append(("wrong", "\(counts.wrong)  \(share(counts.wrong))")) }
        if result.skipped > 0 {
            rows.append(
                (
                    "skipped",
                    Quantity.counted(result.skipped, "line or entry", "lines or entries") + " without a request"
                ))
        }
        rows += [
            ("hit ratio", Quantity.percent(counts.hitRatio)), ("byte hit ratio", Quantity.percent(counts.byteHitRatio)),
        ]
        if let text = SizeNotes.settled(result.settled) { rows.append(("header sizes", text)) }
        if result.isStopped { rows.append(("", "stopped before the end of the trace")) }
        if result.cutPauses.count > 0 {
            let seconds = Quantity.time(result.cutPauses.seconds * 1e9)
            rows.append(("", "pauses above 60 s cut to 60 s: \(result.cutPauses.count), by \(seconds) in all"))
        }
        return rows.map { Table.labelled($0.0, $0.1, to: width) }.joined() + "\n"
            + UncachedReport(result.uncached, of: counts.requests).text(width: width) + bounds(result)
            + latencies(result, width: width) + "\n" + environment.footer(result.digest, width: width)
    }

    private func bounds(_ result: ReplayResult) -> String {
        guard options.wantsBounds else { return "" }
        guard let bounds = result.bounds else {
            return "bounds          left out, since the trace has more than \(ReuseLog.longest) requests\n\n"
        }
        return BoundsReport(bounds, of: result.counts).text + "\n"
    }

    private func latencies(_ result: ReplayResult, width: Int) -> String {
        guard !options.noBodies else { return "" }
        var lines = Outcome.allCases.compactMap { outcome in result.latency[outcome].map { (outcome.rawValue, $0) } }
        // Of requests sent when due.
        if let times = result.openLoop { lines += [("service", times.service), ("response", times.response)] }
        let rows = lines.map { name, times in
            [name, "\(times.count)", Quantity.time(Double(times.minimum))]
                + [0.5, 0.99, 0.999].map { Quantity.time(times.quantile($0)) } + [Quantity.time(Double(times.maximum))]
        }
        return Table(["latency", "operations", "minimum", "median", "p99", "p99.9", "maximum"], rows).text(width: width)
    }

    private func json(_ result: ReplayResult) throws -> String {
        let counts = result.counts
        var object: [String: JSONValue] = [
            "subject_details": .text(details), "trace": .text(options.trace.path),
            "trace_hash": result.digest.map { .text($0.text) } ?? .null,
            "trace_bytes": result.digest.map { .whole($0.count) } ?? .null,
            "environment": .object(environment.members), "load": .text(load),
            "trace_format": .text(format.rawValue),
            "trace_format_guessed": .flag(isGuessed),
            "subject": .text(subject),
            "seed": .text(String(options.seed)), "requests": .whole(counts.requests), "hits": .whole(counts.hits),
            "memory_hits": .whole(counts.memoryHits), "disk_hits": .whole(counts.diskHits),
            "unknown_tier_hits": .whole(counts.unknownTierHits),
            "misses": .whole(counts.misses), "outdated": .whole(result.outdated), "too_large": .whole(result.tooLarge),
            "refused": .whole(result.refused), "wrong": .whole(counts.wrong), "hit_ratio": .number(counts.hitRatio),
            "byte_hit_ratio": .number(counts.byteHitRatio), "expired": .whole(result.expired),
            "unanswerable": .whole(result.unanswerable), "unstorable": .whole(result.unstorable),
            "passed": .whole(result.passed), "shared_hits": .whole(result.shared),
            "changed_sizes": .whole(result.changes.count), "usual_change_bytes": .whole(result.changes.usual),
            "settled_sizes": .whole(result.settled.count), "most_settled_bytes": .whole(result.settled.most),
            "skipped": .whole(result.skipped),
            "requested_bytes": .whole(counts.requestedBytes),
            "hit_bytes": .whole(counts.hitBytes), "complete": .flag(!result.isStopped),
            "body_sizes": .text(sizes(result)), "requests_without_size": .whole(result.unsized),
            "latency": .object(
                Dictionary(uniqueKeysWithValues: result.latency.map { ($0.key.rawValue, json($0.value)) })),
        ]
        object["bodies"] = .flag(!options.noBodies)
        if !result.uncached.isEmpty { object["not_cached"] = UncachedReport(result.uncached, of: counts.requests).json }
        if options.noBodies { for key in Self.onlyWithBodies { object[key] = nil } }
        if let times = result.openLoop {
            if let rate = options.pace.rate { object["rate"] = .number(rate) }
            if case .traceTimes(let speedup) = options.pace { object["speedup"] = .number(speedup) }
            object["cut_pauses"] = .whole(result.cutPauses.count)
            object["cut_seconds"] = .number(result.cutPauses.seconds)
            object["service"] = json(times.service)
            object["response"] = json(times.response)
        }
        if let bounds = result.bounds { object["bounds"] = BoundsReport(bounds, of: counts).json }
        object["policy"] = .text(options.policy.rawValue)
        if let entries = options.entries {
            object["entries"] = .whole(entries)
        } else {
            object["memory_capacity"] = .whole(options.memory.bytes)
            object["disk_capacity"] = .whole(options.disk.bytes)
        }
        return try JSONValue.object(object).document()
    }

    /// Figures that a simulation doesn't have.
    private static let onlyWithBodies = [
        "subject", "subject_details", "outdated", "too_large", "refused", "wrong", "expired", "unanswerable",
        "unstorable", "passed", "latency",
    ]

    /// All in nanoseconds, except the count.
    private func json(_ times: Histogram) -> JSONValue {
        var members: [String: JSONValue] = [
            "count": .whole(Int(clamping: times.count)), "min": .whole(Int(clamping: times.minimum)),
            "max": .whole(Int(clamping: times.maximum)),
        ]
        let figures = [
            ("mean", times.mean), ("p50", times.quantile(0.5)), ("p90", times.quantile(0.9)),
            ("p99", times.quantile(0.99)), ("p99.9", times.quantile(0.999)),
        ]
        for (name, value) in figures { members[name] = .number(value ?? 0) }
        return .object(members)
    }
}

extension RunEnvironment {
    /// The lines below the results of a trace: the digest of the trace, and the environment.
    func footer(_ digest: TraceDigest?, width: Int) -> String {
        let hash = digest.map { "\($0.text) over \($0.count) bytes" } ?? "none, since the trace was not read to its end"
        let machine =
            "\(processorName), \(Quantity.counted(processors, "processor")); \(kernel)\(fileSystem.map { ", \($0)" } ?? "")"
        return Table.labelled("trace hash", hash, to: width) + Table.labelled("measured on", machine, to: width)
            + Table.labelled("measured with", "\(build); seed \(settings.seed)", to: width)
    }
}
