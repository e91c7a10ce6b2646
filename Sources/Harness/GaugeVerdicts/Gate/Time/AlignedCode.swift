import Foundation
import GaugeSupport
import Platform

/// Builds executables for the time gate with every function aligned to a cache line.
///
/// The address of a function depends on all code linked before it, and a compiler aligns it to 16 bytes only, so that
/// after any change elsewhere its loops cross different cache lines. Moving all code by 16 bytes made one benchmark of
/// this package 5.7 % faster and another 2.5 % slower; with aligned functions the differences were 0.5 % and none.
/// Alignment does not hide the cost of the change itself, and such accidents are no reason to reject one.
package enum AlignedCode {
    /// The arguments of `swift build` that align functions to 64 bytes: LLVM's option for Swift, Clang's for C.
    package static let flags = [
        "-Xswiftc", "-Xllvm", "-Xswiftc", "-align-all-functions=6", "-Xcc", "-falign-functions=64",
    ]

    /// The build directory of the working tree. It is separate from the developer's builds, and the next gate reuses
    /// it.
    package static func scratch(of package: String) -> String { "\(package)/.build/time-gate" }
}

/// An object file with unused bytes that is linked before the code of an executable, to move all of its code.
///
/// Linkers put the section `.text.unlikely` before `.text`. Functions still begin on cache lines (see `AlignedCode`).
/// The length is not a multiple of a page, so that each function moves to another line of its page and to other entries
/// of all processor structures indexed by address.
package enum LayoutPadding {
    /// The length, bytes: a page and seventeen cache lines.
    package static let length = 4_096 + 17 * 64

    /// Makes the object file.
    ///
    /// - Parameter directory: the directory of the object file.
    /// - Returns: the arguments of `swift build` that link it: `-Xlinker` and its path.
    /// - Throws: `GaugeError` when the toolchain's C compiler is missing.
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
