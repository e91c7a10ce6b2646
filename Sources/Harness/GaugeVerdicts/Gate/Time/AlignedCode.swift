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
