import HTTPReference
import MODULE

private struct Parser: HTTPDateParser {
    func parse(_ bytes: [UInt8], now: Int64) -> Int64? {
        CALL
    }
}

extension FuzzTarget {
    /// Oracle: HTTPReference reads the same, in 2026.
    static let httpDate = FuzzTarget("http_date") { input in
        let (bytes, now) = ([UInt8](input), 1_795_219_200 as Int64)
        _ = showingComparisons { Parser().parse(bytes, now: now) }
        for found in Parser().disagreements(on: bytes, now: now) { disagree(found.kind, found.description) }
    }
}
