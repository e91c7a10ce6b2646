import SwiftOperators
import SwiftParser
import SwiftSyntax

/// Finds every place in one file where an operator applies.
enum SiteFinder {
    /// The sites of a file, in the order of the source.
    ///
    /// - Parameters:
    ///   - file: the path from the package's root, kept in the sites.
    ///   - neighbours: the names of the file's module.
    static func sites(in source: String, file: String, neighbours: Neighbours) -> [Site] {
        // Folding makes `a + b < c` a comparison of a sum. An undeclared operator stays unfolded and has no sites.
        let tree = OperatorTable.standardOperators.foldAll(Parser.parse(source: source)) { _ in }
        let list = SiteList(file: file, source: source, tree: tree)
        SlipFinder(list).walk(tree)
        MistakeFinder(list, neighbours).walk(tree)
        return list.sites.sorted {
            ($0.bytes.lowerBound, $0.bytes.upperBound) < ($1.bytes.lowerBound, $1.bytes.upperBound)
        }
    }

    /// The sites of a file that is a whole module.
    static func sites(in source: String, file: String) -> [Site] {
        sites(in: source, file: file, neighbours: Neighbours(sources: [source]))
    }
}

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
    /// The text's first line, to show a statement without repeating all of it.
    fileprivate var firstLine: String? {
        trimmedDescription.split(separator: "\n").first.map { "\($0.trimmed) …" }
    }
}
