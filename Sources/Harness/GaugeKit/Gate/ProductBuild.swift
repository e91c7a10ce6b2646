import Foundation

/// How an executable of a package is built: optimised, the same for every revision.
struct ProductBuild {
    /// The name of the product in `Package.swift`.
    let product: String
    /// What `swift build` is given besides: `--traits`, `SQLite`.
    var flags: [String] = []

    /// Builds it. Takes minutes for a package that was never built there, seconds otherwise.
    ///
    /// - Parameters:
    ///   - package: the directory of `Package.swift`.
    ///   - scratch: where the build goes; `.build` in the package when `nil`.
    ///   - title: whose build it is, for the error: `the base 0123456789ab`.
    /// - Returns: the path of the executable.
    /// - Throws: `Interrupted`; `GaugeError` without a toolchain, or when it does not build.
    func build(
        package: String, scratch: String? = nil, title: String, interruption: Interruption? = nil
    ) throws -> String {
        let swift = try Tool("swift", purpose: "executables are built")
        let common =
            ["build", "-c", "release", "--product", product, "--package-path", package]
            + (scratch.map { ["--scratch-path", $0] } ?? []) + flags
        let built = try swift.run(common, interruption: interruption)
        guard built.status == 0 else {
            throw GaugeError(
                "\(title) does not build: \(Self.reason(built)); see swift \(common.joined(separator: " "))")
        }
        let shown = try swift.run(common + ["--show-bin-path"], interruption: interruption)
        let directory = shown.output.split(separator: "\n").last.map(String.init) ?? ""
        let path = "\(directory)/\(product)"
        guard shown.status == 0, FileManager.default.isExecutableFile(atPath: path) else {
            throw GaugeError(
                "\(title) was built, but there is no \(path); name an executable product with --product")
        }
        return path
    }

    /// The first line that calls itself an error, of the compiler's or the package manager's.
    static func reason(_ outcome: Tool.Outcome) -> String {
        let lines = (outcome.output + "\n" + outcome.errors).split(separator: "\n")
        let error = lines.first { $0.contains("error: ") } ?? lines.last
        return error.map { $0.trimmingCharacters(in: .whitespaces) } ?? "swift ended with \(outcome.status)"
    }
}
