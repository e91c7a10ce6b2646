/// Reads which mutants the compiler cannot take.
enum Diagnostics {
    /// The mutants to leave out, by number, so that the next build gets further.
    ///
    /// - Parameters:
    ///   - output: what the compiler wrote.
    ///   - root: the folder of the copy, which the paths begin with.
    static func culprits(in output: String, root: String, among mutants: [Mutant]) -> Set<Int> {
        var culprits: Set<Int> = []
        for line in output.split(separator: "\n") where line.contains(": error: ") {
            guard let (file, number) = place(in: line, root: root) else { continue }
            let suspects = mutants.filter { $0.site.file == file }
            // The innermost that covers the line; else, since a statement left out is missed further down, the last before it.
            let covering = suspects.filter { $0.site.lines.contains(number) }.min {
                $0.site.bytes.count < $1.site.bytes.count
            }
            let before = suspects.filter { $0.site.form == .leaveOut && $0.site.lines.upperBound < number }
                .max { $0.site.bytes.upperBound < $1.site.bytes.upperBound }
            if let culprit = covering ?? before ?? suspects.first { culprits.insert(culprit.number) }
        }
        return culprits
    }

    /// The file and line that `PATH:LINE:COLUMN: error: …` begins with.
    private static func place(in line: Substring, root: String) -> (file: String, line: Int)? {
        guard line.hasPrefix(root + "/") else { return nil }
        let parts = line.dropFirst(root.count + 1).split(separator: ":", maxSplits: 2)
        guard parts.count == 3, let number = Int(parts[1]) else { return nil }
        return (String(parts[0]), number)
    }
}
