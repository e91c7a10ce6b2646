import Foundation
import Platform

/// What is said of a replay, to people and to programs.
struct ReplayReport {
    private let options: ReplayOptions
    private let subject: String
    private let details: String
    private let capabilities: SubjectCapabilities
    private let format: TraceFormat
    private let isGuessed: Bool
    private let fileSystem: String?

    init(
        _ options: ReplayOptions, subject: any CacheSubject.Type, reader: TraceReader, directory: String
    ) {
        self.options = options
        self.subject = subject.name
        details = subject.details
        capabilities = subject.capabilities
        format = reader.format
        isGuessed = reader.isGuessed
        fileSystem = fileSystemType(at: directory)
    }

    /// What makes the figures worth less than they look.
    var warnings: [String] {
        guard options.entries == nil, options.disk.bytes > 0, capabilities.contains(.disk),
            fileSystem == "tmpfs" || fileSystem == "ramfs"
        else {
            return []
        }
        return ["the directory is in memory (\(fileSystem ?? "")); name one on a disk with --directory"]
    }

    func text(of result: ReplayResult) throws -> String {
        switch options.format {
        case .text: tables(result)
        case .json: try json(result)
        }
    }

    /// The wrong answers, the first of them told in full.
    static func trouble(subject: String, _ answers: Answers) -> String {
        var text = "\(subject) gave \(answers.count) wrong answers\n"
        for answer in answers.first.prefix(3) {
            text += "    key \(answer.key): expected \(answer.expected), got \(answer.got)\n"
            for event in answer.history { text += "      \(event)\n" }
        }
        return text
    }

    private var capacity: String {
        if let entries = options.entries { return "\(entries) entries in memory, one shard, no disk tier" }
        let memory = capabilities.contains(.memory) ? "memory tier \(options.memory)" : "no memory tier"
        let disk =
            capabilities.contains(.disk)
            ? "disk tier \(options.disk) on \(fileSystem ?? "an unknown file system")" : "no disk tier"
        return "\(memory), \(disk)"
    }

    private var sizes: String {
        let bodies = options.entries == nil ? "" : "; 64 bytes stored for each, since entries are counted"
        return "where the trace has none: \(BodySizes.webLike(seed: options.seed)), seed \(options.seed)\(bodies)"
    }

    private func tables(_ result: ReplayResult) -> String {
        let counts = result.counts
        func share(_ part: Int) -> String { Quantity.percent(Double(part) / Double(max(1, counts.requests))) }
        var rows = [
            ("trace", "\(options.trace.path) (\(format.rawValue)\(isGuessed ? ", recognised by its beginning" : ""))"),
            ("subject", "\(subject), \(capacity)\(details.isEmpty ? "" : "; \(details)")"), ("body sizes", sizes),
            ("requests", "\(counts.requests)"),
            ("memory hits", "\(counts.memoryHits)  \(share(counts.memoryHits))"),
            ("disk hits", "\(counts.diskHits)  \(share(counts.diskHits))"),
            ("misses", "\(counts.misses)  \(share(counts.misses))"),
        ]
        if result.outdated > 0 { rows.append(("", "\(result.outdated) of them hits on a size that had changed")) }
        if result.tooLarge > 0 { rows.append(("", "\(result.tooLarge) of them larger than any tier")) }
        if result.refused > 0 { rows.append(("", "\(result.refused) of them with a URL that is not cached")) }
        if result.expired > 0 { rows.append(("", "\(result.expired) of them hits on what had expired")) }
        if result.unanswerable > 0 { rows.append(("", "\(result.unanswerable) of them meant for the origin")) }
        if result.unstorable > 0 { rows.append(("", "\(result.unstorable) of them not to be stored")) }
        if result.passed > 0 { rows.append(("", "\(result.passed) of them neither to be answered nor stored")) }
        if counts.wrong > 0 { rows.append(("wrong", "\(counts.wrong)  \(share(counts.wrong))")) }
        if result.skipped > 0 { rows.append(("damaged", "\(result.skipped) requests passed over, counted nowhere")) }
        rows += [
            ("hit ratio", Quantity.percent(counts.hitRatio)), ("byte hit ratio", Quantity.percent(counts.byteHitRatio)),
        ]
        if result.isStopped { rows.append(("", "stopped before the end of the trace")) }
        return rows.map { "\($0.0.padded(to: 16))\($0.1)\n" }.joined() + "\n" + bounds(result)
            + latencies(result)
    }

    private func bounds(_ result: ReplayResult) -> String {
        guard options.wantsBounds else { return "" }
        guard let bounds = result.bounds else {
            return "bounds          left out, since the trace has more than \(ReuseLog.longest) requests\n\n"
        }
        return BoundsReport(bounds, of: result.counts).text + "\n"
    }

    private func latencies(_ result: ReplayResult) -> String {
        let titles = ["operations", "minimum", "median", "p99", "p99.9", "maximum"]
        var text = "latency".padded(to: 16) + titles.map { $0.leftPadded(to: 11) }.joined() + "\n"
        for outcome in Outcome.allCases {
            guard let times = result.latency[outcome] else { continue }
            let values =
                ["\(times.count)", Quantity.time(Double(times.minimum))]
                + [0.5, 0.99, 0.999].map { Quantity.time(times.quantile($0)) } + [Quantity.time(Double(times.maximum))]
            text += outcome.rawValue.padded(to: 16) + values.map { $0.leftPadded(to: 11) }.joined() + "\n"
        }
        return text
    }

    private func json(_ result: ReplayResult) throws -> String {
        let counts = result.counts
        var object: [String: JSONValue] = [
            "subject_details": .text(details), "trace": .text(options.trace.path),
            "trace_format": .text(format.rawValue),
            "trace_format_guessed": .flag(isGuessed),
            "subject": .text(subject),
            "seed": .text(String(options.seed)), "requests": .whole(counts.requests), "hits": .whole(counts.hits),
            "memory_hits": .whole(counts.memoryHits), "disk_hits": .whole(counts.diskHits),
            "misses": .whole(counts.misses), "outdated": .whole(result.outdated), "too_large": .whole(result.tooLarge),
            "refused": .whole(result.refused), "wrong": .whole(counts.wrong), "hit_ratio": .number(counts.hitRatio),
            "byte_hit_ratio": .number(counts.byteHitRatio), "expired": .whole(result.expired),
            "unanswerable": .whole(result.unanswerable), "unstorable": .whole(result.unstorable),
            "passed": .whole(result.passed), "skipped": .whole(result.skipped),
            "requested_bytes": .whole(counts.requestedBytes),
            "hit_bytes": .whole(counts.hitBytes), "complete": .flag(!result.isStopped), "body_sizes": .text(sizes),
            "latency": .object(
                Dictionary(uniqueKeysWithValues: result.latency.map { ($0.key.rawValue, json($0.value)) })),
        ]
        if let bounds = result.bounds { object["bounds"] = BoundsReport(bounds, of: counts).json }
        if let entries = options.entries {
            object["entries"] = .whole(entries)
        } else {
            object["memory_capacity"] = .whole(options.memory.bytes)
            object["disk_capacity"] = .whole(options.disk.bytes)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(JSONValue.object(object)), as: UTF8.self) + "\n"
    }

    /// Nanoseconds, but for the count.
    private func json(_ times: Histogram) -> JSONValue {
        .object([
            "count": .whole(Int(clamping: times.count)), "min": .whole(Int(clamping: times.minimum)),
            "mean": .number(times.mean ?? 0), "p50": .number(times.quantile(0.5) ?? 0),
            "p90": .number(times.quantile(0.9) ?? 0), "p99": .number(times.quantile(0.99) ?? 0),
            "p99.9": .number(times.quantile(0.999) ?? 0), "max": .whole(Int(clamping: times.maximum)),
        ])
    }
}

extension String {
    func leftPadded(to width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }
}
