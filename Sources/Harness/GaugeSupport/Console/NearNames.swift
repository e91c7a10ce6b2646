/// Finds the names that a user may have meant.
package enum NearNames {
    /// Only the beginnings of names are compared, since the work grows with the square of the length.
    private static let comparedLength = 64

    /// The names nearest to `name`, best first: those that contain it, and those within a few typing errors.
    package static func of(_ name: String, among names: [String], limit: Int = 3) -> [String] {
        let wanted = Array(name.lowercased().prefix(comparedLength))
        guard !wanted.isEmpty else { return [] }
        let text = String(wanted)
        let scored = names.enumerated().compactMap {
            position, candidate -> (score: Int, position: Int, name: String)? in
            let letters = Array(candidate.lowercased().prefix(comparedLength))
            if String(letters).contains(text) { return (0, position, candidate) }
            let distance = distance(wanted, letters)
            return distance <= max(1, wanted.count / 3) ? (distance, position, candidate) : nil
        }
        return scored.sorted { ($0.score, $0.position) < ($1.score, $1.position) }.prefix(limit).map(\.name)
    }

    /// `; did you mean A or B?`; empty if no name is near.
    package static func question(_ name: String, among names: [String]) -> String {
        let near = of(name, among: names)
        return near.isEmpty ? "" : "; did you mean \(near.joined(separator: " or "))?"
    }

    /// The optimal string alignment distance: how many insertions, deletions, replacements and swapped neighbours turn
    /// one name into the other.
    package static func distance(_ first: [Character], _ second: [Character]) -> Int {
        var beforeLast = [Int](repeating: 0, count: second.count + 1)
        var last = Array(0...second.count)
        for row in 0..<first.count {
            var current = [row + 1] + [Int](repeating: 0, count: second.count)
            for column in 0..<second.count {
                let replaced = last[column] + (first[row] == second[column] ? 0 : 1)
                current[column + 1] = min(last[column + 1] + 1, current[column] + 1, replaced)
                if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
                    current[column + 1] = min(current[column + 1], beforeLast[column - 1] + 1)
                }
            }
            (beforeLast, last) = (last, current)
        }
        return last[second.count]
    }
}
