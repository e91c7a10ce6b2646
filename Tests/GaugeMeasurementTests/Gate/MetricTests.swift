import Testing

@testable import GaugeMeasurement

@Suite("Metrics")
struct MetricTests {
    /// The name, whether `<` less or `>` more is better or `=` neither, the tolerance, the repeatability, and what the
    /// help says of it before the direction.
    private static let table: [(name: String, better: String, tolerance: Double, repeatability: Double, help: String)] =
        [
            ("instructions", "<", 0.002, 1e-4, "of one operation, as callgrind counts them"),
            (
                "system calls", "<", 0, 1e-4,
                "of one operation, as callgrind counts them, without those that read the clock"
            ),
            ("allocations", "<", 0, 1e-4, "of one operation, where the executable counts them"),
            ("bytes allocated", "<", 0, 1e-4, "requested by one operation"),
            ("read calls", "<", 0, 1e-4, "of one operation: read, pread and others (/proc/self/io)"),
            ("write calls", "<", 0, 1e-4, "of one operation: write, pwrite and others"),
            (
                "bytes written", "<", 0, 1e-4,
                "by the write calls of one operation, without stores into mapped files"
            ),
            (
                "calls under a lock", "<", 0, 1e-4,
                "into the system by one operation, made while a lock of pthreads was held"
            ),
            ("memory hits", ">", 0, 1e-4, "the part of operations that memory answered"),
            ("disk hits", "=", 0, 1e-4, "the part that the disk answered instead of memory"),
            ("misses", "<", 0, 1e-4, "the part without an answer"),
            ("evicting stores", "<", 0, 1e-4, "the part of operations that stored an entry and evicted another"),
            (
                "worst 1 % instructions", "<", 0.02, 0.005,
                "of the most expensive hundredth of that sequence, on average"
            ),
            ("worst instructions", "<", 0.1, 0.02, "of the most expensive of 2048 operations in a fixed sequence"),
            ("worst system calls", "<", 0, 1e-4, "of the operation of the sequence that makes most"),
            ("worst 1 % allocations", "<", 0, 1e-4, "of the hundredth that makes most, on average"),
            ("worst allocations", "<", 0, 1e-4, "of the operation of the sequence that makes most"),
            ("worst 1 % bytes allocated", "<", 0.02, 1e-4, "by the hundredth that requests most, on average"),
            ("worst bytes allocated", "<", 0.1, 1e-4, "by the operation of the sequence that requests most"),
            (
                "growth", "<", 0, 1e-4,
                "of the instructions of an operation with the number of entries: O(1), O(log n), O(n), …"
            ),
            ("hit ratio", ">", 0, 1e-4, "of the requests that the benchmark counts"),
            ("byte hit ratio", ">", 0, 1e-4, "the same, weighted by the size of the body"),
            ("evictions", "<", 0, 1e-4, "that the cache counted"),
            ("write amplification", "<", 0, 1e-4, "bytes written for each byte stored"),
            ("found again", ">", 0, 1e-4, "the part of stores after which the entry was there"),
            ("bytes read", "<", 0, 1e-4, "by opening the cache"),
            ("index bytes an entry", "<", 0, 1e-4, "of memory"),
        ]

    @Test("each metric has its direction, its tolerance and its own words, in this order")
    func all() {
        #expect(Metric.all.map(\.name) == Self.table.map(\.name))
        for (metric, row) in zip(Metric.all, Self.table) {
            let better: [String: Metric.Better] = ["<": .less, ">": .more, "=": .neither]
            #expect(metric.better == better[row.better], "\(row.name)")
            #expect(metric.tolerance == row.tolerance && metric.repeatability == row.repeatability, "\(row.name)")
            let direction = ["<": "less is better", ">": "more is better", "=": "shown, not gated"][row.better] ?? ""
            let tolerated = [0.002: ", 0.2 % is no change", 0.02: ", 2.0 % is no change", 0.1: ", 10.0 % is no change"]
            #expect(metric.help == "\(row.help); \(direction)\(tolerated[row.tolerance] ?? "")")
        }
        #expect(Metric.all.filter(\.isTail).map(\.name) == Self.table[12...18].map(\.name))
    }
}
