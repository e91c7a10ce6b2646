import HTTPReference
import MODULE

/// Your parser. What stands here sees your module's names as they are.
private func judgedReading(_ bytes: [UInt8]) -> [HTTPReference.Reference.ByteRange]? {
    CALL
}

private struct JudgedParser: HTTPReference.RangeParser {
    func parse(_ bytes: [UInt8]) -> [HTTPReference.Reference.ByteRange]? { judgedReading(bytes) }
}

extension FuzzTarget {
    /// Oracle: HTTPReference reads the same.
    static let range = FuzzTarget("range") { input in
        let bytes = [UInt8](input)
        _ = showingComparisons { judgedReading(bytes) }
        for found in JudgedParser().disagreements(on: bytes) { disagree(found.kind, found.description) }
    }
}
