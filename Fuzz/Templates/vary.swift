import HTTPReference
import MODULE

private struct Parser: VaryParser {
    func parse(_ bytes: [UInt8]) -> Reference.Vary {
        CALL
    }
}

extension FuzzTarget {
    /// Oracle: HTTPReference reads the same.
    static let vary = FuzzTarget("vary") { input in
        let bytes = [UInt8](input)
        _ = showingComparisons { Parser().parse(bytes) }
        for found in Parser().disagreements(on: bytes) { disagree(found.kind, found.description) }
    }
}
