/// All mutants of a file in one text, each inactive until its number is selected at run time (mutant schemata; Untch,
/// Offutt, Harrold, ISSTA 1993), so that hundreds of mutants need one build.
enum Schema {
    /// `source` with the mutants woven in, and the same line numbers.
    ///
    /// A mutant is two insertions, before and after its place, so mutants may be nested. Of two at one place, the later
    /// is the inner one.
    static func weave(_ mutants: [Mutant], into source: String) -> String {
        guard !mutants.isEmpty else { return source }
        let byPlace = mutants.sorted { ($0.site.bytes.count, -$0.number) < ($1.site.bytes.count, -$1.number) }
        var opening: [Int: String] = [:]
        var closing: [Int: String] = [:]
        // From the innermost outwards.
        for mutant in byPlace {
            let (before, behind) = brackets(of: mutant)
            opening[mutant.site.bytes.lowerBound] = before + opening[mutant.site.bytes.lowerBound, default: ""]
            closing[mutant.site.bytes.upperBound, default: ""] += behind
        }
        // On the first line, so that the line numbers stay.
        var woven = Array("import Mutation; ".utf8)
        for (offset, byte) in source.utf8.enumerated() {
            woven += Array(closing[offset, default: ""].utf8) + Array(opening[offset, default: ""].utf8)
            woven.append(byte)
        }
        woven += Array(closing[source.utf8.count, default: ""].utf8)
        return String(decoding: woven, as: UTF8.self)
    }

    private static func brackets(of mutant: Mutant) -> (before: String, behind: String) {
        switch mutant.site.form {
        case .replace(let text): ("(isMutant(\(mutant.number)) ? (\(text)) : (", "))")
        case .negate: ("(isMutant(\(mutant.number)) != (", "))")
        case .replaceSequence(let text):
            ("(isMutant(\(mutant.number)) ? AnySequence(\(text)) : AnySequence(", "))")
        case .leaveOut: ("if !isMutant(\(mutant.number)) { ", " }")
        case .replaceStatements(let text): ("if isMutant(\(mutant.number)) { \(text) } else { ", " }")
        case .insert(let text): ("if isMutant(\(mutant.number)) { \(text) }; ", "")
        }
    }
}
