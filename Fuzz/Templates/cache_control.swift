import HTTPReference
import MODULE

private struct Parser: CacheControlParser {
    /// All directives, unless you name fewer here.
    let directives = Reference.CacheControl.names

    func parse(_ bytes: [UInt8]) -> Reference.CacheControl {
        CALL
    }
}

extension FuzzTarget {
    /// Oracle: HTTPReference reads the same.
    static let cacheControl = FuzzTarget("cache_control") { input in
        let bytes = [UInt8](input)
        _ = showingComparisons { Parser().parse(bytes) }
        for found in Parser().disagreements(on: bytes) { disagree(found.kind, found.description) }
    }
}
