import HTTPReference
import MODULE

/// Your parser. What stands here sees your module's names as they are.
private func judgedReading(_ bytes: [UInt8], now: Int64) -> Int64? {
    CALL
}

private struct JudgedParser: HTTPReference.HTTPDateParser {
    func parse(_ bytes: [UInt8], now: Int64) -> Int64? { judgedReading(bytes, now: now) }
}

extension FuzzTarget {
    /// Oracle: HTTPReference reads the same, in 2026.
    static let httpDate = FuzzTarget("http_date") { input in
        let (bytes, now) = ([UInt8](input), 1_795_219_200 as Int64)
        _ = showingComparisons { judgedReading(bytes, now: now) }
        for found in JudgedParser().disagreements(on: bytes, now: now) { disagree(found.kind, found.description) }
    }
}
