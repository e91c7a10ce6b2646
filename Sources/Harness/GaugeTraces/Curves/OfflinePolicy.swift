/// A yardstick that knows the future, for the curves of the policies that do not. It needs the whole trace in memory.
package enum OfflinePolicy: String, CaseIterable, Sendable {
    /// Belady's MIN by entries; by bytes a heuristic that follows it.
    case belady
    /// An upper bound of every policy, by bytes.
    case footprint = "pfoo-l"

    /// The rule in one line.
    package var summary: String {
        switch self {
        case .belady: "knows the future: latest next request first; by bytes, largest size × time (Belady 1966)"
        case .footprint: "upper bound by bytes, with knowledge of the future (PFOO-L, Berger 2018)"
        }
    }

    /// The hits in a logged trace; `nil` where the policy has no meaning.
    func hits(in log: ReuseLog, capacity: Int, unit: MissRatioCurve.Unit) -> HitSum? {
        switch (self, unit) {
        case (.belady, .entries): log.turned().hitsOfMIN(entries: capacity)
        case (.belady, .bytes): log.turned().hitsOfBeladyBySize(capacity: capacity)
        case (.footprint, .entries): nil
        case (.footprint, .bytes): log.footprintBound(capacity: capacity)
        }
    }
}
