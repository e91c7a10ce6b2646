import SwiftSyntax

extension SyntaxProtocol {
    /// The source text on one line and without comments; `nil` if line breaks separate statements or belong to a string
    /// literal, so that one line could mean something else.
    var flattened: String? {
        let checker = LineEndChecker(viewMode: .sourceAccurate)
        checker.walk(self)
        guard !checker.needsLineEnds else { return nil }
        var text = ""
        var isSpaced = false
        for token in tokens(viewMode: .sourceAccurate) {
            if !text.isEmpty, isSpaced || !token.leadingTrivia.isEmpty { text += " " }
            text += token.text
            isSpaced = !token.trailingTrivia.isEmpty
        }
        return text
    }
}

private final class LineEndChecker: SyntaxVisitor {
    private(set) var needsLineEnds = false

    override func visit(_ node: CodeBlockItemListSyntax) -> SyntaxVisitorContinueKind {
        if node.count > 1 { needsLineEnds = true }
        return .visitChildren
    }

    override func visit(_ node: SwitchExprSyntax) -> SyntaxVisitorContinueKind {
        needsLineEnds = true
        return .skipChildren
    }

    override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        if node.openingQuote.tokenKind == .multilineStringQuote { needsLineEnds = true }
        return .visitChildren
    }
}
