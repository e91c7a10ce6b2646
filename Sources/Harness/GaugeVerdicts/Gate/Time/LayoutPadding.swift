import Foundation
import GaugeSupport
import Platform

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
