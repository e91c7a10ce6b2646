import Foundation
import Platform

/// An object file that does nothing but lie before the code of the executable that it is linked into, so that all of it
/// moves by so many bytes.
///
/// Linkers put the section `.text.unlikely` before `.text`. Functions begin on cache lines (see `AlignedCode`) and still do
/// so behind it; the length is no multiple of a page, so that each is on another line of its page, and of whatever a
/// processor indexes by addresses.
enum LayoutPadding {
    /// Bytes: a page and seventeen cache lines.
    static let length = 4_096 + 17 * 64

    /// Makes the object file.
    ///
    /// - Parameter directory: where it goes.
    /// - Returns: what `swift build` is given to link it: `-Xlinker` and its path.
    /// - Throws: `GaugeError` without the toolchain's C compiler.
    static func linkerFlags(in directory: TemporaryDirectory) throws -> [String] {
        let folder = try directory.subdirectory("padding")
        let source = "\(folder)/padding.s"
        // `R`: kept although nothing refers to it.
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
        guard CommandOutput.of("clang", ["-c", source, "-o", object], within: 60) != nil else {
            throw GaugeError("clang, which comes with the toolchain, has not assembled \(source); is it in PATH?")
        }
        return ["-Xlinker", object]
    }
}
