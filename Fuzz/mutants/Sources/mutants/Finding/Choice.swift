/// A reproducible choice among many sites.
enum Choice {
    /// Chooses at most `count` of `sites`, from each operator in turn and at most one per line, in the order of the
    /// sources. The same seed gives the same choice, and the same order of operators: otherwise a small choice would
    /// have only the slips of one symbol, which tests notice more often.
    static func sites(_ count: Int, of sites: [Site], seed: UInt64) -> [Site] {
        var random = SplitMix(state: seed)
        var waiting = MutationOperator.allCases.map { mutation in
            sites.filter { $0.mutation == mutation }.shuffled(using: &random)
        }.shuffled(using: &random)
        var chosen: [Site] = []
        var takenLines: Set<String> = []
        while chosen.count < count, waiting.contains(where: { !$0.isEmpty }) {
            for place in waiting.indices where chosen.count < count {
                while let site = waiting[place].popLast() {
                    // Compiler errors of two mutants on one line are hard to tell apart, and two statements that share
                    // a third can't both be woven in.
                    guard !chosen.contains(where: { $0.crosses(site) }),
                        takenLines.insert("\(site.file):\(site.lines.lowerBound)").inserted
                    else { continue }
                    chosen.append(site)
                    break
                }
            }
        }
        return chosen.sorted { ($0.file, $0.bytes.lowerBound) < ($1.file, $1.bytes.lowerBound) }
    }

    /// All elements, one from each group in turn; the seed gives the order in a group.
    static func inTurns<Element>(_ groups: [[Element]], seed: UInt64) -> [Element] {
        var random = SplitMix(state: seed)
        let shuffled = groups.map { $0.shuffled(using: &random) }
        return (0..<(groups.map(\.count).max() ?? 0)).flatMap { place in
            shuffled.compactMap { place < $0.count ? $0[place] : nil }
        }
    }
}

extension Site {
    /// Whether the places overlap, and neither contains the other.
    fileprivate func crosses(_ other: Site) -> Bool {
        guard file == other.file, bytes.overlaps(other.bytes) else { return false }
        return !bytes.contains(other.bytes) && !other.bytes.contains(bytes)
    }
}

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): small, and the same on every platform and in every version.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
