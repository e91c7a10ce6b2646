/// What the parts of benchmarks' names mean, in a line each, for people who meet `two-tier/zipf-promotion/tiered` for
/// the first time.
///
/// A case is described without its labels: `memory/hit` stands for `memory/hit/1k` and `memory/hit/100k`, and the
/// label's description, e.g. "1,000 entries", is added. Rows by outcome, such as `two-tier/zipf-promotion`, get the
/// descriptions of the case, `two-tier/zipf`, and the outcome.
public struct BenchmarkWords: Sendable {
    /// What a number in a case's name counts.
    public enum Unit: String, Sendable {
        /// Held entries: `1k` is 1,000.
        case entries
        /// Bytes of a body: `4k` is 4 KiB.
        case bodyBytes
        /// Bytes of a key: `40`.
        case keyBytes
        /// Bytes of a tier: `8g` is 8 GiB.
        case tierBytes
    }

    /// The lines on stages, by name.
    public var stages: [String: String]
    /// The lines on cases, by `stage/case` without the labels; `key-hash` alone if the case is only a label.
    public var cases: [String: String]
    /// The lines on subjects, by name.
    public var subjects: [String: String]
    /// What the numbers in a stage's cases count.
    public var units: [String: Unit]

    /// Words, each by its name.
    public init(
        stages: [String: String] = [:], cases: [String: String] = [:], subjects: [String: String] = [:],
        units: [String: Unit] = [:]
    ) {
        (self.stages, self.cases, self.subjects, self.units) = (stages, cases, subjects, units)
    }

    /// These words and others; the others win where both define one.
    public func adding(_ others: BenchmarkWords) -> BenchmarkWords {
        BenchmarkWords(
            stages: stages.merging(others.stages) { $1 }, cases: cases.merging(others.cases) { $1 },
            subjects: subjects.merging(others.subjects) { $1 }, units: units.merging(others.units) { $1 })
    }

    /// The line on a case with its labels, `a lookup that finds its entry (1,000 entries)`; `nil` if nobody wrote one.
    ///
    /// - Parameters:
    ///   - case: `hit/1k`.
    ///   - stage: `memory`.
    public func line(onCase case: String, of stage: String) -> String? {
        let parts = labelled(`case`, of: stage)
        guard let line = parts.line else { return nil }
        return parts.labels.isEmpty ? line : "\(line) (\(parts.labels.joined(separator: ", ")))"
    }

    /// A case without its labels, the line on it, and what its labels say: `hit`, and `1,000 entries`.
    public func labelled(_ case: String, of stage: String) -> (name: String, line: String?, labels: [String]) {
        if let whole = cases["\(stage)/\(`case`)"] { return (`case`, whole, []) }
        let parts = `case`.split(separator: "/").map(String.init)
        let kept = parts.filter { label($0, of: stage) == nil }
        let name = ([stage] + kept).joined(separator: "/")
        return (
            kept.joined(separator: "/"), cases[name] ?? lineByOutcome(name), parts.compactMap { label($0, of: stage) }
        )
    }

    /// The line on the outcome at the end of a mixture's row, e.g. `two-tier/zipf-miss`.
    private func lineByOutcome(_ name: String) -> String? {
        // Longest first: `zipf-memory-hit` ends with `-hit`, too.
        let outcomes = Outcome.allCases.sorted { $0.rawValue.count > $1.rawValue.count }
        guard let outcome = outcomes.first(where: { name.hasSuffix("-\($0.rawValue)") }),
            let line = cases[String(name.dropLast(outcome.rawValue.count + 1))]
        else { return nil }
        return "\(outcome.line), of: \(line)"
    }

    /// `1,000 entries` for `1k`, if the stage's numbers are entries; `nil` for a part that is no label.
    private func label(_ part: String, of stage: String) -> String? {
        if part.hasSuffix("-thread") || part.hasSuffix("-threads"), let count = Int(part.prefix { $0.isNumber }) {
            return count == 1 ? "one thread" : "\(count) threads at once"
        }
        if part.hasSuffix("-task") || part.hasSuffix("-tasks"), let count = Int(part.prefix { $0.isNumber }) {
            return count == 1 ? "one task" : "\(count) tasks at once"
        }
        // A decimal number is the steepness of Zipf's law.
        if part.contains("."), Double(part) != nil { return "exponent \(part)" }
        let digits = part.prefix { $0.isNumber }
        guard let unit = units[stage], let number = Int(digits), part.count - digits.count <= 1 else { return nil }
        let suffix = part.dropFirst(digits.count)
        guard suffix.isEmpty || "kmg".contains(suffix) else { return nil }
        switch unit {
        case .entries: return "\(Self.grouped(number, suffix)) entries"
        case .bodyBytes: return "bodies of \(Self.binary(number, suffix))"
        case .keyBytes: return "\(Self.binary(number, suffix))"
        case .tierBytes: return "a tier of \(Self.binary(number, suffix))"
        }
    }

    private static func grouped(_ number: Int, _ suffix: Substring) -> String {
        "\(number)" + (suffix == "k" ? ",000" : suffix == "m" ? ",000,000" : suffix == "g" ? ",000,000,000" : "")
    }

    private static func binary(_ number: Int, _ suffix: Substring) -> String {
        "\(number) " + (suffix.isEmpty ? "bytes" : suffix.uppercased() + "iB")
    }
}

extension Outcome {
    /// What happened, in words.
    public var line: String {
        switch self {
        case .computed: "the whole work"
        case .memoryHit: "the hits in memory"
        case .diskHit: "the hits on disk"
        case .promotion: "the hits on disk, each copied to memory for the next time"
        case .hit: "the hits, of a cache that does not say in which tier"
        case .miss: "the misses"
        case .store: "the stores for which nothing was evicted"
        case .storeEvict: "the stores for which something was evicted"
        case .remove: "the removals"
        case .revalidation: "the questions to the origin whether a copy is still good"
        }
    }
}
