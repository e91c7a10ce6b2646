import Foundation
import GaugeTraces

extension CurveReport {
    /// Merges results of shards that `mrc --format json` wrote.
    ///
    /// - Throws: `GaugeError` that names the file and the reason.
    package init(merging paths: [String], environment: RunEnvironment) throws {
        var merged: CurveReport?
        for path in paths {
            let report = try CurveReport(path: path, environment: environment)
            guard let one = merged else {
                merged = report
                continue
            }
            do throws(GaugeError) {
                merged = try one.merged(with: report)
            } catch {
                throw GaugeError("\(path) cannot be merged with \(paths[0]): \(error)")
            }
        }
        guard let merged else { throw GaugeError("there is no result to merge; name the files") }
        self = merged
    }

    private func merged(with other: CurveReport) throws(GaugeError) -> CurveReport {
        guard isComplete, other.isComplete, let digest, digest == other.digest else {
            throw GaugeError(
                "they are not of one trace that was read to its end; every shard reads the whole trace, and pieces cut "
                    + "by time cannot be merged")
        }
        guard admission == other.admission, sizeChanges == other.sizeChanges, assumedSizes == other.assumedSizes else {
            throw GaugeError("they count entries differently; use the same --admission, --size-changes and --sizes")
        }
        return CurveReport(
            curve: try curve.merged(with: other.curve), trace: trace, assumedSizes: assumedSizes, admission: admission,
            sizeChanges: sizeChanges, format: format, isGuessed: isGuessed, isComplete: true, digest: digest,
            environment: environment)
    }

    private init(path: String, environment: RunEnvironment) throws {
        let document = try ResultDocument.json(path: path)
        guard let format = document["trace_format"]?.string.flatMap(TraceFormat.init), let curve = Self.curve(document)
        else {
            throw GaugeError("\(path) is not a result of a shard; write it with mrc --shard I/N --format json")
        }
        var environment = environment
        if let seed = document["environment"]?["seed"]?.string.flatMap(UInt64.init) { environment.settings.seed = seed }
        let digest = document["trace_hash"]?.string.flatMap {
            TraceDigest(text: $0, count: document["trace_bytes"]?.count ?? 0)
        }
        self.init(
            curve: curve, trace: document["trace"]?.string ?? "a trace",
            assumedSizes: document["body_sizes"]?.string ?? "", admission: document["admission"]?.string ?? "",
            sizeChanges: document["size_changes"]?.string.flatMap(SizeChanges.init) ?? .version, format: format,
            isGuessed: document["trace_format_guessed"]?.flag ?? false,
            isComplete: document["complete"]?.flag ?? false, digest: digest, environment: environment)
    }

    private static func curve(_ document: JSONValue) -> MissRatioCurve? {
        guard let unit = document["unit"]?.string.flatMap(MissRatioCurve.Unit.init), let sample = document["sample"],
            let rate = sample["rate"]?.double, rate > 0, rate <= 1,
            let seed = sample["seed"]?.string.flatMap(UInt64.init), let shardCount = sample["shard_count"]?.count,
            let requests = document["requests"]?.count, let bytes = document["requested_bytes"]?.count
        else { return nil }
        let points = (document["points"]?.elements ?? []).compactMap { point -> MissRatioCurve.Point? in
            guard let policy = point["policy"]?.string, let capacity = point["capacity"]?.count,
                let misses = point["misses"]?.double, let missedBytes = point["missed_bytes"]?.double,
                let error = point["error"]?.double, let byteError = point["byte_error"]?.double
            else { return nil }
            let estimate = SampleEstimate(
                misses: misses, missedBytes: missedBytes, error: error, byteError: byteError,
                scaleError: point["scale_error"]?.double, byteScaleError: point["byte_scale_error"]?.double)
            return .init(
                policy: policy, capacity: capacity, sum: estimate.hits(of: requests, bytes: bytes), estimate: estimate)
        }
        return MissRatioCurve(
            unit: unit, disk: document["disk_capacity"]?.count, points: points, requests: requests,
            requestedBytes: bytes,
            objects: document["objects"]?.count ?? 0,
            sample: SampleSummary(
                rate: rate, seed: seed, shards: (sample["shards"]?.elements ?? []).compactMap(\.count), of: shardCount))
    }
}

extension JSONValue {
    /// A whole number, not negative; the largest if it doesn't fit.
    fileprivate var count: Int? { double.flatMap { $0 < 0 ? nil : Int(clamping: UInt64(min($0, 0x1p63))) } }
}
