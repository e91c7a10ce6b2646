import GaugeSupport
import GaugeTraces

/// Reasons to trust a curve less, or to miss a policy in it.
struct CurveWarnings {
    let texts: [String]

    /// - Parameter offline: the policies that know the future and were asked for.
    init(_ curve: MissRatioCurve, offline: [OfflinePolicy]) {
        texts = [Self.missing(offline, in: curve), Self.smallCapacities(of: curve)].compactMap { $0 }
    }

    private static func missing(_ offline: [OfflinePolicy], in curve: MissRatioCurve) -> String? {
        let missing = offline.filter { !curve.policies.contains($0.rawValue) }
        guard !missing.isEmpty else { return nil }
        let names = missing.map(\.rawValue).joined(separator: " and ")
        if curve.sample != nil {
            return "\(names) left out: they need the whole trace; leave out --sample and --shard"
        }
        if curve.requests > ReuseLog.longest {
            return "\(names) left out: the trace has more than \(ReuseLog.longest) requests; pass a part of it"
        }
        return "\(names) left out: computed only by bytes; pass --by bytes"
    }

    /// A sampled cache of few entries says little about one of many.
    private static func smallCapacities(of curve: MissRatioCurve) -> String? {
        guard let rate = curve.sample?.rate, rate < 1 else { return nil }
        let mean = curve.unit == .entries ? 1 : Double(curve.requestedBytes) / Double(max(1, curve.requests))
        let least = mean * Double(leastEntries) / rate
        let small = Set(curve.points.map(\.capacity).filter { $0 > 0 && Double($0) < least }).sorted()
        guard let largest = small.last else { return nil }
        func text(_ capacity: Int) -> String {
            curve.unit == .bytes ? ByteSize(bytes: capacity).description : "\(capacity)"
        }
        return
            "at \(small.count == 1 ? text(largest) : "\(text(small[0])) to \(text(largest))") the sampled cache holds fewer than "
            + "\(leastEntries) entries of mean size, and the estimate is rough; raise --sample or the capacity"
    }

    private static let leastEntries = 100
}
