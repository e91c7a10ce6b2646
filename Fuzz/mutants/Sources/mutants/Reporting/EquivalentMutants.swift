import Foundation

/// The mutants that somebody has looked at and found to change nothing that could be seen, each with the reason.
///
/// Paragraphs separated by empty lines; lines that begin with `#` are comments. A paragraph is the file, the operator,
/// the source line and the change, a line each, then the reason. A source line that has changed takes its reason along.
struct EquivalentMutants {
    private var reasons: [[String]: String] = [:]

    init(_ text: String) throws {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("#") }
        for paragraph in lines.split(whereSeparator: \.isEmpty) {
            guard paragraph.count >= 5 else {
                throw Failure("equivalent.txt: the paragraph at '\(paragraph.first ?? "")' has no reason")
            }
            reasons[paragraph.prefix(4).map(\.trimmed)] = paragraph.dropFirst(4).map(\.trimmed).joined(separator: " ")
        }
    }

    /// Why no test could tell the mutant from the program as it was written; `nil` when nobody says so.
    func reason(_ site: Site) -> String? { reasons[Self.key(of: site)] }

    /// What a paragraph begins with.
    static func key(of site: Site) -> [String] { [site.file, site.mutation.rawValue, site.line, site.change] }
}
