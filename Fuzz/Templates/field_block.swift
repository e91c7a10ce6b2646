import HTTPReference
import MODULE

private struct Parser: FieldBlockParser {
    func parse(_ bytes: [UInt8]) -> Reference.FieldBlock? {
        CALL
    }
}

extension FuzzTarget {
    /// Oracle: HTTPReference reads the same.
    static let fieldBlock = FuzzTarget("field_block") { input in
        let bytes = [UInt8](input)
        _ = showingComparisons { Parser().parse(bytes) }
        for found in Parser().disagreements(on: bytes) { disagree(found.kind, found.description) }
    }
}
