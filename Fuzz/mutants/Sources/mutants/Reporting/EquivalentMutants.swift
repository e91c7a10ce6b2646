import Foundation

/// The mutants that were reviewed and change no observable behaviour, each with the reason.
///
/// The file has paragraphs separated by empty lines; lines that begin with `#` are comments. A paragraph is the file,
/// the operator, the source line and the change, each on one line, and then the reason. If the source line changes, its
/// reason doesn't apply anymore.
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

    /// Why no test can tell the mutant from the unchanged program; `nil` if it isn't listed.
    func reason(_ site: Site) -> String? { reasons[Self.key(of: site)] }

    static func key(of site: Site) -> [String] { [site.file, site.mutation.rawValue, site.line, site.change] }
}
