import Foundation

/// A file that a command of this package wrote as JSON.
enum ResultDocument {
    /// Of `run`: Google Benchmark's schema.
    case run(context: JSONValue, rows: [ReportedRow])
    /// Of `mrc`.
    case curve(ReportedCurve)
    /// Of `replay`, for the bounds beside it.
    case replay(ReportedReplay)

    /// A larger file is none of ours.
    private static let mostBytes = 256 << 20

    /// - Throws: `GaugeError` that names the file and what is wrong with it.
    init(path: String) throws {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else {
            throw GaugeError(
                "\(path) is not there or cannot be read; name a file that run, mrc or replay wrote as JSON")
        }
        let size = (attributes[.size] as? NSNumber)?.intValue ?? 0
        guard size <= Self.mostBytes else {
            throw GaugeError(
                "\(path) has \(size) bytes, and a result has less than \(Self.mostBytes); name another file")
        }
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw GaugeError("\(path) cannot be read; name a file that run, mrc or replay wrote as JSON")
        }
        try self.init(bytes: bytes, name: path)
    }

    init(bytes: Data, name: String) throws {
        guard let document = try? JSONDecoder().decode(JSONValue.self, from: bytes) else {
            throw GaugeError("\(name) is not JSON; write it with --format json, or run --json FILE")
        }
        if case .list(let entries)? = document["benchmarks"] {
            self = .run(context: document["context"] ?? .null, rows: entries.compactMap(ReportedRow.init))
        } else if document["points"] != nil, let curve = ReportedCurve(document) {
            self = .curve(curve)
        } else if document["hit_ratio"] != nil, let replay = ReportedReplay(document) {
            self = .replay(replay)
        } else {
            throw GaugeError("\(name) is JSON, but not as run, mrc or replay write it; name another file")
        }
    }
}

/// What a report shows of one row.
struct ReportedRow {
    let stage: String
    let `case`: String
    let subject: String
    let isPeer: Bool
    let threads: Int
    let median: Double?
    let interval: ClosedRange<Double>?
    let ratio: Double?
    let operationsPerSecond: Double?
    let allocations: Double?
    let instructions: Double?
    let p99: Double?
    let operations: Double
    /// At `Row.curve`'s parts; empty where operations were not timed one by one.
    let quantiles: [Double]
    let wrong: Int
    let failure: String?

    /// - Returns: `nil` for a repetition and for the aggregates beside the median, which say nothing of the whole.
    init?(_ entry: JSONValue) {
        let isMedian = entry["aggregate_name"]?.string == "median"
        let isAlone = entry["run_type"]?.string == "iteration" && (entry["repetitions"]?.double ?? 1) <= 1
        guard let name = entry["run_name"]?.string ?? entry["name"]?.string, isMedian || isAlone else { return nil }
        let parts = name.split(separator: "/").map(String.init)
        stage = entry["stage"]?.string ?? parts.first ?? name
        self.case = entry["case"]?.string ?? parts.dropFirst().dropLast().joined(separator: "/")
        subject = entry["subject"]?.string ?? (parts.count > 1 ? parts[parts.count - 1] : "")
        isPeer = entry["peer"]?.flag ?? (subject != "tiered")
        threads = Int(clamping: Int64(max(1, min(entry["threads"]?.double ?? 1, 1e6))))
        median = entry["median"]?.double
        if let low = entry["median_low"]?.double, let high = entry["median_high"]?.double, low <= high {
            interval = low...high
        } else {
            interval = nil
        }
        ratio = entry["ratio"]?.double
        operationsPerSecond = entry["items_per_second"]?.double
        allocations = entry["allocations_per_operation"]?.double
        instructions = entry["instructions_per_operation"]?.double
        p99 = entry["p99"]?.double
        operations = entry["operations"]?.double ?? 0
        let times = entry["quantiles"]?.elements.compactMap(\.double) ?? []
        quantiles = times.count == Row.curve.count ? times : []
        wrong = Int(clamping: Int64(max(0, min(entry["wrong"]?.double ?? 0, 1e15))))
        failure = entry["error_message"]?.string
    }

    /// Parts and times for drawing: as far as there are operations enough for one of them to be slower, and then the longest.
    var curve: [(x: Double, y: Double)] {
        guard let longest = quantiles.last, operations >= 1 else { return [] }
        let end = 1 - 1 / operations
        return zip(Row.curve, quantiles).filter { $0.0 < end }.map { (x: $0, y: $1) } + [(x: end, y: longest)]
    }

    /// `disk/hit/4k`.
    var group: String { "\(stage)/\(self.case)" }
}

/// What a report shows of a miss-ratio curve.
struct ReportedCurve {
    let trace: String
    let unit: String
    let requests: Double
    let points: [(capacity: Double, missRatio: Double)]

    init?(_ document: JSONValue) {
        trace = document["trace"]?.string ?? "a trace"
        unit = document["unit"]?.string ?? "entries"
        requests = document["requests"]?.double ?? 0
        points = (document["points"]?.elements ?? []).compactMap { point in
            guard let capacity = point["capacity"]?.double, let ratio = point["miss_ratio"]?.double, capacity > 0,
                (0...1).contains(ratio)
            else { return nil }
            return (capacity, ratio)
        }
        guard !points.isEmpty else { return nil }
    }
}

/// What a report shows of a replay: where it stands between the bounds.
struct ReportedReplay {
    let trace: String
    let subject: String
    let unit: String
    let capacity: Double
    let missRatio: Double
    let bounds: [(name: String, missRatio: Double)]

    init?(_ document: JSONValue) {
        guard let ratio = document["hit_ratio"]?.double, (0...1).contains(ratio) else { return nil }
        trace = document["trace"]?.string ?? "a trace"
        subject = document["subject"]?.string ?? "a cache"
        missRatio = 1 - ratio
        let bounds = document["bounds"]
        if let entries = bounds?["entries"]?.double {
            (unit, capacity) = ("entries", entries)
        } else if let bytes = bounds?["bytes"]?.double {
            (unit, capacity) = ("bytes", bytes)
        } else {
            return nil
        }
        let names = [
            ("Belady's MIN", "belady_min"), ("PFOO-L", "pfoo_l"), ("Belady by size", "belady_by_size"),
            ("infinite cache", "infinite"),
        ]
        self.bounds = names.compactMap { name, key in
            guard let ratio = bounds?[key]?["hit_ratio"]?.double, (0...1).contains(ratio) else { return nil }
            return (name, 1 - ratio)
        }
    }
}
