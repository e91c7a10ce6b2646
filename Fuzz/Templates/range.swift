import HTTPReference
import MODULE

private struct Parser: RangeParser {
    func parse(_ bytes: [UInt8]) -> [Reference.ByteRange]? {
        CALL
    }
}

extension FuzzTarget {
    /// Oracle: HTTPReference reads the same.
    static let range = FuzzTarget("range") { input in
        let bytes = [UInt8](input)
        _ = showingComparisons { Parser().parse(bytes) }
        for found in Parser().disagreements(on: bytes) { disagree(found.kind, found.description) }
    }
}
