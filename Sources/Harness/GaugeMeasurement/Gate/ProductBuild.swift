import Foundation
import GaugeSupport
import Platform

/// Builds an executable product of a package in release mode, the same way for every revision.
package struct ProductBuild {
    package let product: String
    /// Additional arguments of `swift build`: `-Xswiftc`, `-Ounchecked`.
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
    ///   - title: the build's name in errors: `the base 0123456789ab`.
    ///   - directory: where the package manager may leave folders: five empty ones per call.
    /// - Returns: the path of the executable.
    /// - Throws: `Interrupted`; `GaugeError` if there is no toolchain or the build fails.
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
            throw GaugeError("\(title) was built, but there is no \(path); name an executable product with --product")
        }
        return path
    }

    /// The first line marked as an error by the compiler or the package manager.
    package static func reason(_ outcome: Tool.Outcome) -> String {
        let lines = (outcome.output + "\n" + outcome.errors).split(separator: "\n")
        let error = lines.first { $0.contains("error: ") } ?? lines.last
        return error.map { $0.trimmingCharacters(in: .whitespaces) } ?? "swift ended with \(outcome.status)"
    }
}

/// Builds executables for the time gate with every function aligned to a cache line.
///
/// A function's address depends on all code linked before it, and a compiler aligns it only to 16 bytes, so after any
/// change elsewhere its loops cross different cache lines. Moving all code by 16 bytes made one benchmark of this
/// package 5.7 % faster and another 2.5 % slower; with aligned functions the differences were 0.5 % and none. Alignment
/// doesn't hide the cost of the change itself, and such accidents are no reason to reject one.
package enum AlignedCode {
    /// Arguments of `swift build` that align functions to 64 bytes: LLVM's option for Swift, Clang's for C.
    package static let flags = [
        "-Xswiftc", "-Xllvm", "-Xswiftc", "-align-all-functions=6", "-Xcc", "-falign-functions=64",
    ]

    /// The working tree's build directory, separate from the developer's builds; the next gate reuses it.
    package static func scratch(of package: String) -> String { "\(package)/.build/time-gate" }
}

/// An object file of unused bytes linked before an executable's code, to move all of it.
///
/// Linkers put the section `.text.unlikely` before `.text`. Functions still begin on cache lines (see `AlignedCode`).
/// The length isn't a multiple of a page, so each function moves to another line of its page and to other entries of
/// all processor structures indexed by address.
package enum LayoutPadding {
    /// The length, bytes: a page and seventeen cache lines.
    package static let length = 4_096 + 17 * 64

    /// Makes the object file.
    ///
    /// - Returns: the arguments of `swift build` that link it: `-Xlinker` and its path.
    /// - Throws: `GaugeError` if the toolchain's C compiler is missing.
    package static func linkerFlags(in directory: TemporaryDirectory) throws -> [String] {
        let folder = try directory.subdirectory("padding")
        let source = "\(folder)/padding.s"
        // `R` keeps the section although nothing refers to it.
        let text = """
            .section .text.unlikely,"axR",@progbits
            .globl cachegauge_padding
            .type cachegauge_padding,@function
            cachegauge_padding:
            .skip \(length), 0x90
            .section .note.GNU-stack,"",@progbits

            """
        guard FileManager.default.createFile(atPath: source, contents: Data(text.utf8)) else {
            throw GaugeError("\(source) cannot be written: \(SystemError.last)")
        }
        let object = "\(folder)/padding.o"
        guard Tool.output(of: "clang", ["-c", source, "-o", object], within: 60) != nil else {
            throw GaugeError("clang, which comes with the toolchain, has not assembled \(source); is it in PATH?")
        }
        return ["-Xlinker", object]
    }
}
