// The three functions that libFuzzer calls. Compiled with -DFUZZ alone: then libFuzzer brings `main`, and CacheFuzz has
// none. See the script `Fuzz/fuzz` for the build line.
#if FUZZ
import Platform

/// The target that this process fuzzes; chosen once, before the first input.
private nonisolated(unsafe) var chosen: FuzzTarget?

/// Chooses the target by `--target=NAME` (libFuzzer ignores what begins with two dashes and hands it to its children)
/// or by the name of the binary, `NAME_fuzzer`, as ClusterFuzz calls it.
@_cdecl("LLVMFuzzerInitialize")
public func initializeFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ values: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> CInt {
    disableBacktraces(values.pointee)
    let arguments = (0..<Int(count.pointee)).compactMap { values.pointee[$0].map { String(cString: $0) } }
    let option = "--target="
    let binary = arguments.first?.split(separator: "/").last.map(String.init) ?? ""
    let name =
        arguments.first { $0.hasPrefix(option) }.map { String($0.dropFirst(option.count)) }
        ?? (binary.hasSuffix("_fuzzer") ? String(binary.dropLast("_fuzzer".count)) : "")
    guard let target = FuzzTarget.named(name) else {
        FuzzTarget.printUnknown(name)
        exit(64)
    }
    chosen = target
    return 0
}

/// Swift's own backtracer takes the signal before libFuzzer sees it, and no artifact is written; it reads its setting
/// before `main`, so the process starts itself again without it.
private func disableBacktraces(_ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) {
    guard getenv("SWIFT_BACKTRACE") == nil else { return }
    setenv("SWIFT_BACKTRACE", "enable=no", 1)
    #if os(Linux)
    execv("/proc/self/exe", arguments)
    #endif
}

/// Runs one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    chosen?.run(UnsafeRawBufferPointer(start: bytes, count: count))
    return 0
}

@_silgen_name("LLVMFuzzerMutate")
private func libFuzzerMutate(_ bytes: UnsafeMutablePointer<UInt8>, _ size: Int, _ capacity: Int) -> Int

/// Changes one input: by the target's own mutator where it has one, else by libFuzzer's.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutateInput(
    _ bytes: UnsafeMutablePointer<UInt8>, _ size: Int, _ capacity: Int, _ seed: CUnsignedInt
) -> Int {
    // One in four goes to libFuzzer even so, for what no structured mutation would think of.
    guard let mutate = chosen?.mutate, seed % 4 != 0 else { return libFuzzerMutate(bytes, size, capacity) }
    return mutate(UnsafeMutableRawBufferPointer(start: bytes, count: capacity), size, seed)
}
#endif
