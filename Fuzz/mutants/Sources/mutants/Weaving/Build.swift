/// Builds the copy without the mutants that do not compile.
struct Build {
    let copy: MutatedCopy

    /// The folder with the build products.
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
