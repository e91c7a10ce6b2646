/// Benchmarks that do the same among different numbers of entries: `memory/hit/1k/mine`, `…/10k/…`, `…/100k/…`.
package struct GrowthSeries: Equatable, Sendable {
    /// The common name: `memory/hit/*/mine`.
    package let name: String
    /// The benchmarks, by increasing number of entries.
    package let members: [Member]

    package struct Member: Equatable, Sendable {
        package let benchmark: String
        package let entries: Int
    }

    package init(name: String, members: [Member]) {
        self.name = name
        self.members = members
    }

    /// The series among listed benchmarks, in the order of their first members. A series has at least three sizes.
    package static func all(in listed: [ListedBenchmark]) -> [GrowthSeries] {
        var order: [String] = []
        var members: [String: [Member]] = [:]
        for benchmark in listed {
            guard let entries = benchmark.entries, entries > 1 else { continue }
            let name = commonName(of: benchmark.name, entries: entries)
            if members[name] == nil { order.append(name) }
            members[name, default: []].append(Member(benchmark: benchmark.name, entries: entries))
        }
        return order.compactMap { name in
            guard let sorted = members[name]?.sorted(by: { $0.entries < $1.entries }),
                Set(sorted.map(\.entries)).count >= leastSizes
            else { return nil }
            return GrowthSeries(name: name, members: sorted)
        }
    }

    private static let leastSizes = 3

    /// The name with `*` for the part that states the number: `1000`, `1k`. A name without it gets one before the
    /// subject: `memory/miss/tiered`.
    private static func commonName(of name: String, entries: Int) -> String {
        var parts = name.split(separator: "/").map(String.init)
        let labels = ["\(entries)"] + (entries % 1_000 == 0 ? ["\(entries / 1_000)k"] : [])
        if let place = parts.firstIndex(where: labels.contains) {
            parts[place] = "*"
        } else {
            parts.insert("*", at: max(0, parts.count - 1))
        }
        return parts.joined(separator: "/")
    }
}
