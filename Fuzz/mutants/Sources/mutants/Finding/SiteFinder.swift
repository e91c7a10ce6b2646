import SwiftOperators
import SwiftParser
import SwiftSyntax

/// Finds every place in one file where an operator applies.
enum SiteFinder {
    /// The sites of a file, in the order of the source.
    ///
    /// - Parameters:
    ///   - file: the path from the root of the package, which the sites carry.
    ///   - neighbours: the names of the module to which the file belongs.
    static func sites(in source: String, file: String, neighbours: Neighbours) -> [Site] {
        // Folding makes `a + b < c` a comparison of a sum. An undeclared operator is left unfolded and has no sites.
        let tree = OperatorTable.standardOperators.foldAll(Parser.parse(source: source)) { _ in }
        let list = SiteList(file: file, source: source, tree: tree)
        SlipFinder(list).walk(tree)
        MistakeFinder(list, neighbours).walk(tree)
        return list.sites.sorted {
            ($0.bytes.lowerBound, $0.bytes.upperBound) < ($1.bytes.lowerBound, $1.bytes.upperBound)
        }
    }

    /// The sites of a file that is a module by itself.
    static func sites(in source: String, file: String) -> [Site] {
        sites(in: source, file: file, neighbours: Neighbours(sources: [source]))
    }
}
