/// Finds the mutants that do not compile from the compiler's messages.
enum Diagnostics {
    /// The numbers of the mutants to remove before the next build.
    ///
    /// - Parameters:
    ///   - output: the output of the compiler.
    ///   - root: the folder of the copy, with which the paths begin.
    static func culprits(in output: String, root: String, among mutants: [Mutant]) -> Set<Int> {
        var culprits: Set<Int> = []
        for line in output.split(separator: "\n") where line.contains(": error: ") {
            guard let (file, number) = place(in: line, root: root) else { continue }
            let suspects = mutants.filter { $0.site.file == file }
            // The innermost mutant that covers the line, or otherwise the last before it: a removed statement may cause
            // an error further down.
            let covering = suspects.filter { $0.site.lines.contains(number) }.min {
                $0.site.bytes.count < $1.site.bytes.count
            }
            let before = suspects.filter { $0.site.form.isStatement && $0.site.lines.upperBound < number }
                .max { $0.site.bytes.upperBound < $1.site.bytes.upperBound }
            if let culprit = covering ?? before ?? suspects.first { culprits.insert(culprit.number) }
        }
        return culprits
    }

    /// The file and line at the beginning of `PATH:LINE:COLUMN: error: …`.
    private static func place(in line: Substring, root: String) -> (file: String, line: Int)? {
        guard line.hasPrefix(root + "/") else { return nil }
        let parts = line.dropFirst(root.count + 1).split(separator: ":", maxSplits: 2)
        guard parts.count == 3, let number = Int(parts[1]) else { return nil }
        return (String(parts[0]), number)
    }
}
