/// How executables whose time is compared are built: every function begins on a cache line.
///
/// Where a function comes to lie depends on all that is linked before it, and a compiler aligns it to 16 bytes only: its
/// loops then cross other lines after any change anywhere. Moving all code by 16 bytes alone made a benchmark of this
/// package 5.7 % faster and another 2.5 % slower; with functions on lines of their own, by 0.5 % and not at all. What the
/// change itself costs is unaffected, and accidents of that kind are no reason to reject one.
enum AlignedCode {
    /// What `swift build` is given: functions on 64 bytes, of Swift by LLVM's own option and of C by Clang's.
    static let flags = [
        "-Xswiftc", "-Xllvm", "-Xswiftc", "-align-all-functions=6", "-Xcc", "-falign-functions=64",
    ]

    /// Where the working tree is built so: not over the builds of whoever works there, and found again by the next gate.
    static func scratch(of package: String) -> String { "\(package)/.build/time-gate" }
}
