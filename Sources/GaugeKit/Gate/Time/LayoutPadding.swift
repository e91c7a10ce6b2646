import Foundation
import Platform

/// An object file that does nothing but lie before the code of the executable that it is linked into, so that all of it
/// moves by so many bytes.
///
/// Linkers put the section `.text.unlikely` before `.text`. The length is no multiple of a page or a cache line, so that
/// every function comes to lie otherwise in both.
enum LayoutPadding {
    /// Bytes: 16 more than a page and sixteen cache lines. Functions are aligned to 16.
    static let length = 4_096 + 1_024 + 16

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
