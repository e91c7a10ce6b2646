// The functions that libFuzzer calls, compiled only with -DFUZZ: then libFuzzer provides `main` instead of CacheFuzz.
// The script `Fuzz/fuzz` has the build command.
#if FUZZ
import Platform
import WorkCounter

/// The target that this process fuzzes, set once before the first input.
private nonisolated(unsafe) var chosen: FuzzTarget?

private nonisolated(unsafe) var findings: Findings?

/// Chooses the target by `--target=NAME` (libFuzzer ignores arguments that begin with two dashes and passes them to its
/// children) or by the binary's name, `NAME_fuzzer`, like ClusterFuzz. Instead of fuzzing, `--list` prints the targets,
/// `--dump=FILE` prints an input in readable form, and `--pack` and `--unpack` are ``PackCommands``: the script needs
/// no second build for them. `--known=FILE` and `--findings=DIRECTORY` are for ``Findings``. Under a name of its own
/// the binary reads the known kinds from `NAME_fuzzer.known` beside it, and ends with an unknown one.
@_cdecl("LLVMFuzzerInitialize")
public func initializeFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ values: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> CInt {
    disableBacktraces(values.pointee)
    let arguments = (0..<Int(count.pointee)).compactMap { values.pointee[$0].map { String(cString: $0) } }
    func value(of option: String) -> String? {
        arguments.first { $0.hasPrefix(option) }.map { String($0.dropFirst(option.count)) }
    }
    if arguments.dropFirst().first == "--list" {
        for target in FuzzTarget.all { print(target.name) }
        quit(0)
    }
    if let option = arguments.dropFirst().first, let command = PackCommands.names.first(where: { option == "--\($0)" })
    {
        quit(PackCommands.run(command, Array(arguments.dropFirst(2))) ?? 64)
    }
    let binary = arguments.first?.split(separator: "/").last.map(String.init) ?? ""
    let option = value(of: "--target=")
    let name = option ?? (binary.hasSuffix("_fuzzer") ? String(binary.dropLast("_fuzzer".count)) : "")
    guard let target = FuzzTarget.named(name) else {
        FuzzTarget.printUnknown(name)
        quit(64)
    }
    if let path = value(of: "--dump=") { quit(target.dump(path)) }
    work_profile_values(arguments.contains("-use_value_profile=1"))
    work_show_counters(target.subject == .gauge)
    chosen = target
    do throws(CorpusError) {
        findings = try Findings(
            known: value(of: "--known=") ?? (arguments[0] + ".known"), directory: value(of: "--findings="),
            isFatal: option == nil)
    } catch {
        printError("cachefuzz: \(error.description)")
        quit(1)
    }
    return 0
}

/// Ends the process without the search for leaks, which would report memory that this file's functions still hold.
private func quit(_ status: CInt) -> Never {
    fflush(nil)
    _exit(status)
}

/// Restarts the process with Swift's backtracer disabled. Otherwise it would catch the signal before libFuzzer, and no
/// artifact would be written; it reads its setting before `main`.
private func disableBacktraces(_ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) {
    guard getenv("SWIFT_BACKTRACE") == nil else { return }
    setenv("SWIFT_BACKTRACE", "enable=no", 1)
    #if os(Linux)
    execv("/proc/self/exe", arguments)
    #endif
}

/// Runs one input, in a copy: libFuzzer's own comes from libstdc++, which doesn't have the sanitizer's malloc where
/// Swift's library is linked statically. Then nothing would be behind the last byte that a sanitizer can see.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let chosen else { return 0 }
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    copy.copyMemory(from: UnsafeRawBufferPointer(start: bytes, count: count))
    findings?.run(chosen, UnsafeRawBufferPointer(copy))
    copy.deallocate()
    return 0
}

@_silgen_name("LLVMFuzzerMutate")
private func libFuzzerMutate(_ bytes: UnsafeMutablePointer<UInt8>, _ size: Int, _ capacity: Int) -> Int

/// Mutates one input, with the target's own mutator or else libFuzzer's.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutateInput(
    _ bytes: UnsafeMutablePointer<UInt8>, _ size: Int, _ capacity: Int, _ seed: CUnsignedInt
) -> Int {
    // Still leaves one input in four to libFuzzer, to reach states that no structured mutation reaches.
    let capacity = min(capacity, chosen?.mutation?.longest ?? .max)
    let size = min(size, capacity)
    guard let mutation = chosen?.mutation, seed % 4 != 0 else { return libFuzzerMutate(bytes, size, capacity) }
    return mutation.change(UnsafeMutableRawBufferPointer(start: bytes, count: capacity), size, seed)
}

/// Joins two inputs if the target has its own crossover; otherwise returns 0, and libFuzzer's mutations join them.
@_cdecl("LLVMFuzzerCustomCrossOver")
public func joinInputs(
    _ one: UnsafePointer<UInt8>, _ oneSize: Int, _ other: UnsafePointer<UInt8>, _ otherSize: Int,
    _ output: UnsafeMutablePointer<UInt8>, _ capacity: Int, _ seed: CUnsignedInt
) -> Int {
    guard let mutation = chosen?.mutation, let join = mutation.join else { return 0 }
    return join(
        UnsafeRawBufferPointer(start: one, count: oneSize), UnsafeRawBufferPointer(start: other, count: otherSize),
        UnsafeMutableRawBufferPointer(start: output, count: min(capacity, mutation.longest)), seed)
}
#endif
