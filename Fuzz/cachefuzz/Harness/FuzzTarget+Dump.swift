import Platform

extension FuzzTarget {
    /// Prints the input at `path` in readable form, of a pack or a directory each.
    ///
    /// - Returns: the exit code.
    func dump(_ path: String) -> CInt {
        do throws(CorpusError) {
            try Corpus.forEach(at: path) { (path, input) throws(CorpusError) in
                print("\(name) \(path)")
                print(input.withUnsafeBytes { describe($0) })
            }
            return 0
        } catch {
            printError("cachefuzz: \(error.description)")
            return 1
        }
    }

    /// The lines, each after its number.
    static func numbered(_ lines: [String]) -> String {
        "\(lines.count) operations\n"
            + lines.enumerated().map { "\($0.offset): \($0.element)" }.joined(separator: "\n")
    }
}
