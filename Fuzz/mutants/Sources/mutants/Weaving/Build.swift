/// Builds the copy without the mutants that don't compile.
struct Build {
    let copy: MutatedCopy

    var products: String { "\(copy.root)/.build/release" }

    // Optimised, because a suite that compares two readings of a million inputs runs for every mutant that survives so
    // long. The tests are as complete as with `swift test`.
    private static let configuration = [
        "-c", "release", "-Xswiftc", "-DDEBUG", "-Xswiftc", "-enable-testing", "-Xswiftc",
        "-continue-building-after-errors",
    ]

    /// Builds the copy with `mutants` woven in.
    ///
    /// - Returns: those that compiled.
    func compiling(_ mutants: [Mutant]) throws -> [Mutant] {
        var left = mutants
        // First the modules one by one: building everything in each round would take longer.
        let modules = Set(mutants.map(\.site.module))
        let targets = Modules.all.map(Modules.name).filter(modules.contains).map { ["--target", $0] }
        for arguments in targets + [["--build-tests"], ["--product", "cachefuzz"]] {
            while true {
                try copy.write(left)
                let command = ["swift", "build", "--package-path", copy.root] + arguments
                let result = try Command.run(
                    command + Self.configuration, log: copy.root + "/build.log", limits: Limits())
                if result.status == 0 { break }
                let output = try result.output()
                let culprits = Diagnostics.culprits(in: output, root: copy.root, among: left)
                guard !culprits.isEmpty else { throw Failure("the copy does not build: \(output.suffix(4_000))") }
                left.removeAll { culprits.contains($0.number) }
                printError("mutants: \(culprits.count) do not compile, \(left.count) left")
            }
        }
        return left
    }
}

/// Finds the mutants that don't compile in the compiler's messages.
enum Diagnostics {
    /// The numbers of the mutants to remove before the next build.
    ///
    /// - Parameters:
    ///   - output: the output of the compiler.
    ///   - root: the copy's folder, where the paths begin.
    static func culprits(in output: String, root: String, among mutants: [Mutant]) -> Set<Int> {
        var culprits: Set<Int> = []
        for line in output.split(separator: "\n") where line.contains(": error: ") {
            guard let (file, number) = place(in: line, root: root) else { continue }
            let suspects = mutants.filter { $0.site.file == file }
            // The innermost mutant that covers the line, or else the last before it: a removed statement may cause an
            // error further down.
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
