import Foundation
import GaugeSupport

/// A choice of benchmarks, by name and suite.
@usableFromInline package struct BenchmarkSelection: Sendable {
    /// A regular expression that must match part of the name; `nil` selects all.
    package var filter: String?
    /// A suite that must include the benchmark; `full` includes all but those of `large`.
    package var suite: String?

    package init(filter: String? = nil, suite: String? = nil) {
        self.filter = filter
        self.suite = suite
    }

    /// The suite of all benchmarks but those of ``apart``.
    package static let everything = "full"
    /// The suite of a run without options.
    package static let usual = "default"
    /// The suite of benchmarks that fill gigabytes.
    @usableFromInline package static let apart = "large"

    /// The selected benchmarks. Throws a `UsageError` with similar names if none match.
    package func of(_ benchmarks: [Benchmark]) throws -> [Benchmark] {
        let suites = Set(benchmarks.flatMap(\.suites)).union([Self.everything]).sorted()
        if let suite, !suites.contains(suite) {
            throw UsageError(
                "there is no suite '\(suite)'\(NearNames.question(suite, among: suites)); "
                    + "the suites are \(suites.joined(separator: ", "))")
        }
        let named = suite ?? Self.everything
        let inSuite = benchmarks.filter { Self.includes($0, in: named) }
        guard let filter else { return inSuite }
        let matching = try NameFilter(filter).matches(among: benchmarks.map(\.name.description))
        let chosen = inSuite.filter { matching.contains($0.name.description) }
        guard chosen.isEmpty else { return chosen }
        if let other = benchmarks.first(where: { matching.contains($0.name.description) }) {
            let wider = Self.includes(other, in: Self.everything) ? Self.everything : Self.apart
            throw UsageError(
                "filter '\(filter)' matches nothing in suite \(named), but in others; add --suite \(wider)")
        }
        let near = NearNames.question(filter, among: Self.beginnings(of: inSuite.map(\.name.description)))
        throw UsageError("filter '\(filter)' matches no benchmark\(near); the command list names all of them")
    }

    private static func includes(_ benchmark: Benchmark, in suite: String) -> Bool {
        benchmark.suites.contains(suite) || suite == everything && !benchmark.suites.contains(apart)
    }

    /// Each name and each of its prefixes before a slash, once: people usually filter by stage and case.
    package static func beginnings(of names: [String]) -> [String] {
        names.flatMap { name in
            let parts = name.split(separator: "/")
            return parts.indices.map { parts[...$0].joined(separator: "/") }
        }.once
    }
}

/// A regular expression that selects names.
///
/// Some take time exponential in the length of the name, and deeply nested ones use a deep stack. So the length is
/// limited, and matching stops after a few seconds.
package struct NameFilter: Sendable {
    private let pattern: String

    private static let longest = 1_000
    private static let timeOut = DispatchTimeInterval.seconds(2)

    package init(_ pattern: String) throws(UsageError) {
        guard pattern.utf8.count <= Self.longest else {
            throw UsageError("the filter is longer than \(Self.longest) bytes; shorten it")
        }
        self.pattern = pattern
    }

    package func matches(among names: [String]) throws -> Set<String> {
        let outcome = Outcome()
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            outcome.value = Result {
                let expression = try Regex(pattern)
                return Set(names.filter { $0.contains(expression) })
            }
            done.signal()
        }
        thread.stackSize = 8 << 20
        thread.start()
        guard done.wait(timeout: .now() + Self.timeOut) == .success else {
            // The thread can't be stopped, but it ends with this process, which exits now.
            throw UsageError("filter '\(pattern)' takes too long to match; avoid a repetition inside a repetition")
        }
        do {
            return try outcome.value.get()
        } catch {
            throw UsageError("filter '\(pattern)' is not a regular expression: \(error)")
        }
    }

    /// `@unchecked Sendable`: the thread writes it before it signals, and the caller reads it after the signal.
    private final class Outcome: @unchecked Sendable {
        var value: Result<Set<String>, any Error> = .success([])
    }
}
