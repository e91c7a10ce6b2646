import Foundation
import GaugeMeasurement
import GaugeSupport

/// Builds an executable product of a package in release mode, in the same way for every revision.
package struct ProductBuild {
    /// The name of the product in `Package.swift`.
    package let product: String
    /// Additional arguments of `swift build`: `--traits`, `SQLite`.
    package var flags: [String] = []

    package init(product: String, flags: [String] = []) {
        self.product = product
        self.flags = flags
    }

    /// Builds the product. The first build of a package takes minutes, later ones seconds.
    ///
    /// - Parameters:
    ///   - package: the directory of `Package.swift`.
    ///   - scratch: the build directory; `.build` in the package when `nil`.
    ///   - title: the name of the build in an error: `the base 0123456789ab`.
    ///   - directory: where the package manager may leave folders: five empty ones for each call.
    /// - Returns: the path of the executable.
    /// - Throws: `Interrupted`; `GaugeError` when there is no toolchain or the build fails.
    package func build(
        package: String, scratch: String? = nil, title: String, in directory: TemporaryDirectory,
        interruption: Interruption? = nil
    ) throws -> String {
        let swift = try Tool("swift", purpose: "executables are built")
        let common =
            ["build", "-c", "release", "--product", product, "--package-path", package]
            + (scratch.map { ["--scratch-path", $0] } ?? []) + flags
        let variables = ["TMPDIR": directory.path]
        let built = try swift.run(common, variables: variables, interruption: interruption)
        guard built.status == 0 else {
            throw GaugeError(
                "\(title) does not build: \(Self.reason(built)); see swift \(common.joined(separator: " "))")
        }
        let shown = try swift.run(common + ["--show-bin-path"], variables: variables, interruption: interruption)
        let directory = shown.output.split(separator: "\n").last.map(String.init) ?? ""
        let path = "\(directory)/\(product)"
        guard shown.status == 0, FileManager.default.isExecutableFile(atPath: path) else {
            throw GaugeError(
                "\(title) was built, but there is no \(path); name an executable product with --product")
        }
        return path
    }

    /// The first line that the compiler or the package manager marks as an error.
    package static func reason(_ outcome: Tool.Outcome) -> String {
        let lines = (outcome.output + "\n" + outcome.errors).split(separator: "\n")
        let error = lines.first { $0.contains("error: ") } ?? lines.last
        return error.map { $0.trimmingCharacters(in: .whitespaces) } ?? "swift ended with \(outcome.status)"
    }
}
