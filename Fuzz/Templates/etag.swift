import HTTPReference
import MODULE

private struct Parser: EntityTagParser {
    func parse(_ bytes: [UInt8]) -> Reference.EntityTag? {
        CALL
    }
}

extension FuzzTarget {
    /// Oracle: HTTPReference reads the same.
    static let entityTag = FuzzTarget("etag") { input in
        let bytes = [UInt8](input)
        _ = showingComparisons { Parser().parse(bytes) }
        for found in Parser().disagreements(on: bytes) { disagree(found.kind, found.description) }
    }
}
