import HTTPReference
import MODULE

/// Your parser. What stands here sees your module's names as they are.
private func judgedReading(_ bytes: [UInt8]) -> HTTPReference.Reference.Vary {
    CALL
}

private struct JudgedParser: HTTPReference.VaryParser {
    func parse(_ bytes: [UInt8]) -> HTTPReference.Reference.Vary { judgedReading(bytes) }
}

extension FuzzTarget {
    /// Oracle: HTTPReference reads the same.
    static let vary = FuzzTarget("vary") { input in
        let bytes = [UInt8](input)
        _ = showingComparisons { judgedReading(bytes) }
        for found in JudgedParser().disagreements(on: bytes) { disagree(found.kind, found.description) }
    }
}
