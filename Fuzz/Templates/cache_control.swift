import HTTPReference
import MODULE

/// Your parser. What stands here sees your module's names as they are.
private func judgedReading(_ bytes: [UInt8]) -> HTTPReference.Reference.CacheControl {
    CALL
}

private struct JudgedParser: HTTPReference.CacheControlParser {
    /// All directives, unless you name fewer here.
    let directives = HTTPReference.Reference.CacheControl.names

    func parse(_ bytes: [UInt8]) -> HTTPReference.Reference.CacheControl { judgedReading(bytes) }
}

extension FuzzTarget {
    /// Oracle: HTTPReference reads the same.
    static let cacheControl = FuzzTarget("cache_control") { input in
        let bytes = [UInt8](input)
        _ = showingComparisons { judgedReading(bytes) }
        for found in JudgedParser().disagreements(on: bytes) { disagree(found.kind, found.description) }
    }
}
