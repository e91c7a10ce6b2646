import Foundation
import GaugeSupport

/// A file that a command of this package wrote as JSON.
package enum ResultDocument {
    /// The output of `run`: Google Benchmark's schema.
    case run(context: JSONValue, rows: [ReportedRow])
    /// The output of `mrc`.
    case curve(ReportedCurve)
    /// The output of `replay`, for its bounds.
    case replay(ReportedReplay)

    /// The largest file that is read, bytes.
    private static let mostBytes = 256 << 20

    /// - Throws: `GaugeError` that names the file and the error in it.
    package init(path: String) throws { try self.init(Self.json(path: path), name: path) }

    /// The JSON of a file.
    ///
    /// - Parameter mostBytes: the largest file that is read, bytes.
    package static func json(path: String, atMost mostBytes: Int = mostBytes) throws -> JSONValue {
        try json(bytes: contents(path: path, atMost: mostBytes), name: path)
    }

    private static func contents(path: String, atMost mostBytes: Int) throws -> Data {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else {
            throw GaugeError(
                "\(path) does not exist or cannot be read; name a file that run, mrc or replay wrote as JSON")
        }
        let size = (attributes[.size] as? NSNumber)?.intValue ?? 0
        guard size <= mostBytes else {
            throw GaugeError("\(path) has \(size) bytes, and a result has at most \(mostBytes); name another file")
        }
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw GaugeError("\(path) cannot be read; name a file that run, mrc or replay wrote as JSON")
        }
        return bytes
    }

    private static func json(bytes: Data, name: String) throws -> JSONValue {
        guard let document = try? JSONDecoder().decode(JSONValue.self, from: bytes) else {
            throw GaugeError("\(name) is not JSON; write it with --format json, or run --json FILE")
        }
        return document
    }

    package init(bytes: Data, name: String) throws { try self.init(Self.json(bytes: bytes, name: name), name: name) }

    private init(_ document: JSONValue, name: String) throws {
        if case .list(let entries)? = document["benchmarks"] {
            self = .run(context: document["context"] ?? .null, rows: entries.compactMap(ReportedRow.init))
        } else if document["points"] != nil, let curve = ReportedCurve(document) {
            self = .curve(curve)
        } else if document["hit_ratio"] != nil, let replay = ReportedReplay(document) {
            self = .replay(replay)
        } else if let ratio = document["hit_ratio"]?.double, (0...1).contains(ratio), document["bounds"] == nil {
            throw GaugeError(
                "\(name) has no bounds, beside which the report draws a replay; replay without --no-bounds and --no-bodies"
            )
        } else {
            throw GaugeError("\(name) is JSON, but not as run, mrc or replay write it; name another file")
        }
    }
}

package struct ReportedRow {
    package let stage: String
    package let `case`: String
    package let subject: String
    package let isPeer: Bool
    /// See `Benchmark.isUsual`.
    package let isUsual: Bool
    package let threads: Int
    package let median: Double?
    /// The time by which rows are compared: undisturbed, typical on a slow machine, or the median of older files; the
    /// mean if `isMean`.
    package let time: Double?
    package let timeInterval: ClosedRange<Double>?
    /// Whether the mean is compared, e.g. of stores: a cache may defer the work of many to one.
    package let isMean: Bool
    /// Whether the time is typical, since the machine was too rarely at full speed.
    package let isTypical: Bool
    package let ratio: Double?
    package let ratioInterval: ClosedRange<Double>?
    /// Whether the ratio is marked: from slices that were slowed alike, or of typical times in files of older versions.
    package let isRatioMarked: Bool
    /// The times of all slices, nanoseconds.
    package let slices: [Double]
    package let operationsPerSecond: Double?
    package let allocations: Double?
    package let instructions: Double?
    package let p99: Double?
    package let operations: Double
    /// Times at the quantiles of `ResultRow.curve`; empty unless operations were timed one by one.
    package let quantiles: [Double]
    package let wrong: Int
    package let failure: String?

    /// - Returns: `nil` for a repetition, and for aggregates other than the median, which don't describe the whole row.
    package init?(_ entry: JSONValue) {
        let isMedian = entry["aggregate_name"]?.string == "median"
        let isAlone = entry["run_type"]?.string == "iteration" && (entry["repetitions"]?.double ?? 1) <= 1
        guard let title = entry["run_name"]?.string ?? entry["name"]?.string, isMedian || isAlone else { return nil }
        let parts = title.split(separator: "/").map(String.init)
        stage = entry["stage"]?.string ?? parts.first ?? title
        self.case = entry["case"]?.string ?? parts.dropFirst().dropLast().joined(separator: "/")
        subject = entry["subject"]?.string ?? (parts.count > 1 ? parts[parts.count - 1] : "")
        isPeer = entry["peer"]?.flag ?? (subject != "tiered")
        isUsual = entry["usual"]?.flag ?? false
        threads = Int(clamping: Int64(max(1, min(entry["threads"]?.double ?? 1, 1e6))))
        median = entry["median"]?.double
        func range(_ name: String) -> ClosedRange<Double>? {
            guard let low = entry["\(name)_low"]?.double, let high = entry["\(name)_high"]?.double, low <= high else {
                return nil
            }
            return low...high
        }
        isMean = entry["ratio_of"]?.string == "mean" && entry["over_sets"]?.double != nil && range("over_sets") != nil
        let names = isMean ? ["over_sets"] : ["undisturbed", "over_sets", "median"]
        let name = names.first { entry[$0]?.double != nil }
        time = name.flatMap { entry[$0]?.double }
        timeInterval = name.flatMap(range)
        isTypical = !isMean && (name == "over_sets" || name == "median" && entry["ratio_of"]?.string == "undisturbed")
        ratio = entry["ratio"]?.double
        ratioInterval = range("ratio")
        isRatioMarked = isPeer && ratio != nil && ["paired", "typical"].contains(entry["ratio_of"]?.string)
        slices = (entry["sets"]?.elements ?? []).flatMap { $0["slices"]?.elements ?? [] }.compactMap(\.double)
            .filter { $0 > 0 }
        operationsPerSecond = entry["items_per_second"]?.double
        allocations = entry["allocations_per_operation"]?.double
        instructions = entry["instructions_per_operation"]?.double
        p99 = entry["p99"]?.double
        operations = entry["operations"]?.double ?? 0
        let times = entry["quantiles"]?.elements.compactMap(\.double) ?? []
        quantiles = times.count == ResultRow.curve.count ? times : []
        wrong = Int(clamping: Int64(max(0, min(entry["wrong"]?.double ?? 0, 1e15))))
        failure = entry["error_message"]?.string
    }

    /// Quantiles and times for the plot, up to the longest time, without quantiles that no operation exceeds.
    package var curve: [(x: Double, y: Double)] {
        guard let longest = quantiles.last, operations >= 1 else { return [] }
        let end = 1 - 1 / operations
        return zip(ResultRow.curve, quantiles).filter { $0.0 < end }.map { (x: $0, y: $1) } + [(x: end, y: longest)]
    }

    /// `disk/hit/4k/tiered`.
    package var name: String { "\(group)/\(subject)" }

    /// `disk/hit/4k`.
    package var group: String { "\(stage)/\(self.case)" }
}

/// The miss-ratio curves of a report.
package struct ReportedCurve {
    package let trace: String
    package let unit: String
    /// A point of a policy's curve; no ratio of bytes if entries are counted.
    package struct Point {
        package let capacity: Double
        package let missRatio: Double
        package let byteMissRatio: Double?
    }

    /// A curve per policy, in the order of the file.
    package let lines: [(policy: String, points: [Point])]

    package init?(_ document: JSONValue) {
        trace = document["trace"]?.string ?? "a trace"
        unit = document["unit"]?.string ?? "entries"
        let points = (document["points"]?.elements ?? []).compactMap { point -> (policy: String, point: Point)? in
            guard let capacity = point["capacity"]?.double, let ratio = point["miss_ratio"]?.double, capacity > 0,
                (0...1).contains(ratio)
            else { return nil }
            let bytes = point["byte_miss_ratio"]?.double.flatMap { (0...1).contains($0) ? $0 : nil }
            let found = Point(capacity: capacity, missRatio: ratio, byteMissRatio: bytes)
            return (point["policy"]?.string ?? "lru", found)
        }
        lines = points.grouped(by: \.policy).map { ($0, $1.map(\.point)) }
        guard !lines.isEmpty else { return nil }
    }
}

/// The replay of a report, with its position between the bounds.
package struct ReportedReplay {
    package let trace: String
    package let subject: String
    package let unit: String
    package let capacity: Double
    package let missRatio: Double
    package let bounds: [(name: String, missRatio: Double)]

    package init?(_ document: JSONValue) {
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

/// Reads leniently, since files come from many versions: a value that is missing or of another type is `nil`.
extension JSONValue: Decodable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let list = try? container.decode([JSONValue].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    package subscript(_ name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    package var string: String? { if case .text(let text) = self { text } else { nil } }
    package var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
    package var elements: [JSONValue] { if case .list(let elements) = self { elements } else { [] } }

    /// A finite number.
    package var double: Double? {
        switch self {
        case .number(let number): number.isFinite ? number : nil
        case .whole(let number): Double(number)
        default: nil
        }
    }
}
