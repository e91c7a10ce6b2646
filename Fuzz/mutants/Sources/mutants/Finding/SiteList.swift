import SwiftSyntax

/// The sites found in one file so far.
final class SiteList {
    private let file: String
    private let converter: SourceLocationConverter
    private let sourceLines: [Substring]
    private(set) var sites: [Site] = []

    init(file: String, source: String, tree: Syntax) {
        self.file = file
        converter = SourceLocationConverter(fileName: file, tree: tree)
        sourceLines = source.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// Notes that `mutation` applies to `node`.
    func add(_ mutation: MutationOperator, to node: some SyntaxProtocol, _ form: Site.Form) {
        guard let original = node.flattened ?? (form.isStatement ? node.firstLine : nil) else { return }
        add(mutation, from: node, through: node, form, original: original)
    }

    /// Notes that `mutation` applies to the text from the beginning of `first` to the end of `last`.
    func add(
        _ mutation: MutationOperator, from first: some SyntaxProtocol, through last: some SyntaxProtocol,
        _ form: Site.Form, original: String
    ) {
        let start = first.positionAfterSkippingLeadingTrivia
        let end = last.endPositionBeforeTrailingTrivia
        let line = converter.location(for: start).line
        sites.append(
            Site(
                file: file, lines: line...max(line, converter.location(for: end).line),
                bytes: start.utf8Offset..<end.utf8Offset, mutation: mutation, form: form,
                line: sourceLines[line - 1].trimmed, original: original))
    }
}

extension SyntaxProtocol {
    /// The first line of the text, to show a statement without repeating all of it.
    fileprivate var firstLine: String? {
        trimmedDescription.split(separator: "\n").first.map { "\($0.trimmed) …" }
    }
}
