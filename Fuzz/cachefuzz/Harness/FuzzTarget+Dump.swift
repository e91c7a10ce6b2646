import Platform

extension FuzzTarget {
    /// Prints the input at `path` in readable form.
    ///
    /// - Returns: the exit code.
    func dump(_ path: String) -> CInt {
        do throws(CorpusError) {
            let input = try Corpus.contents(of: path)
            print("\(name) \(path)")
            print(input.withUnsafeBytes { describe($0) })
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
