import Testing

@testable import GaugeMeasurement

@Suite("Metrics") struct MetricTests {
    /// The name, whether `<` less or `>` more is better or `=` neither, the tolerance, and the repeatability. The help
    /// has its record.
    private static let table: [(name: String, better: String, tolerance: Double, repeatability: Double)] = [
        ("instructions", "<", 0.002, 1e-4), ("system calls", "<", 0, 1e-4), ("allocations", "<", 0, 1e-4),
        ("bytes allocated", "<", 0, 1e-4), ("read calls", "<", 0, 1e-4), ("write calls", "<", 0, 1e-4),
        ("bytes written", "<", 0, 1e-4), ("calls under a lock", "<", 0, 1e-4), ("memory hits", ">", 0, 1e-4),
        ("disk hits", "=", 0, 1e-4), ("misses", "<", 0, 1e-4), ("evicting stores", "<", 0, 1e-4),
        ("worst 1 % instructions", "<", 0.02, 0.005), ("worst instructions", "<", 0.1, 0.02),
        ("worst system calls", "<", 0, 1e-4), ("worst 1 % allocations", "<", 0, 1e-4),
        ("worst allocations", "<", 0, 1e-4), ("worst 1 % bytes allocated", "<", 0.02, 1e-4),
        ("worst bytes allocated", "<", 0.1, 1e-4), ("growth", "<", 0, 1e-4), ("hit ratio", ">", 0, 1e-4),
        ("byte hit ratio", ">", 0, 1e-4), ("evictions", "<", 0, 1e-4), ("write amplification", "<", 0, 1e-4),
        ("found again", ">", 0, 1e-4), ("bytes read", "<", 0, 1e-4), ("index bytes an entry", "<", 0, 1e-4),
    ]

    @Test("each metric has its direction and its tolerance, in this order") func all() {
        #expect(Metric.all.map(\.name) == Self.table.map(\.name))
        for (metric, row) in zip(Metric.all, Self.table) {
            let better: [String: Metric.Better] = ["<": .less, ">": .more, "=": .neither]
            #expect(metric.better == better[row.better], "\(row.name)")
            #expect(metric.tolerance == row.tolerance && metric.repeatability == row.repeatability, "\(row.name)")
        }
        #expect(Metric.all.filter(\.isTail).map(\.name) == Self.table[12...18].map(\.name))
    }
}
