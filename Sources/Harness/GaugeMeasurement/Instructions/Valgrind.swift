import Foundation
import GaugeSupport
import Platform

/// Starts callgrind so that every run counts the same: only needed environment variables, a fixed seed for Swift's
/// hashing, fixed addresses, and threads scheduled in a fixed order.
package struct Valgrind {
    package let valgrind: String
    /// Turns off address randomisation, without which counts differ by a few parts in a million.
    package let setarch: String?

    /// - Throws: `GaugeError` if valgrind isn't installed.
    package init(path: String? = ProcessInfo.processInfo.environment["PATH"]) throws {
        guard let found = Programs.find("valgrind", in: path) else {
            throw GaugeError(
                "instructions are counted by valgrind, which is not installed; install it, as by apt install valgrind")
        }
        valgrind = found
        setarch = FixedSurroundings.setarch(in: path)
    }

    /// The arguments before the executable on the command line.
    ///
    /// Whenever the measured region ends, callgrind appends a dump of that region alone to the output.
    ///
    /// - Parameter isOnDemand: whether the executable starts counting itself (`MeasuredRegion`) and runs faster until
    ///   then.
    package func wrapper(output: String, isOnDemand: Bool = false) -> [String] {
        (setarch.map { [$0, "-R"] } ?? []) + [
            // A user's `.valgrindrc` could change the counts, or the form of the profile.
            valgrind, "--command-line-only=yes", "--tool=callgrind", "--fair-sched=yes",
            "--callgrind-out-file=\(output)", "--combine-dumps=yes", "--toggle-collect=\(Self.region)",
            "--dump-after=\(Self.region)", "--error-limit=no", "--collect-systime=yes", "--vgdb=no",
        ] + (isOnDemand ? ["--instr-atstart=no"] : [])
    }

    /// See `cs_measured_region`.
    private static let region = "cs_measured_region"
}

/// The environment in which every run of a process counts the same: only needed variables, a fixed seed for Swift's
/// hashing, and fixed addresses.
@usableFromInline
package enum FixedSurroundings {
    /// An environment variable rather than an option of the worker, since an older build would reject an unknown
    /// option.
    private static let unhurried = "CACHEGAUGE_UNHURRIED"

    /// Whether this process was started in this environment. A benchmark must then finish its preparation however long
    /// it takes, although code runs fifty times as slowly: a count must cover the same work every time.
    @usableFromInline package static let isUnhurried = getenv(unhurried) != nil

    /// - Parameter libraries: the original executable's directory, which may hold its libraries too.
    package static func environment(libraries: String, isUnhurried: Bool = false) -> [String] {
        let kept = ["HOME", "PATH", "TMPDIR", "LLVM_PROFILE_FILE"].compactMap { name in
            ProcessInfo.processInfo.environment[name].map { "\(name)=\($0)" }
        }
        let libraryPath = [libraries, ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? ""]
        return kept + [
            "LD_LIBRARY_PATH=\(libraryPath.filter { !$0.isEmpty }.joined(separator: ":"))",
            "SWIFT_DETERMINISTIC_HASHING=1", "SWIFT_BACKTRACE=enable=no", "GLIBC_TUNABLES=glibc.malloc.hugetlb=0",
            "LANG=C",
        ] + (isUnhurried ? ["\(unhurried)=1"] : [])
    }

    /// The program that turns off address randomisation, if installed and permitted; containers often forbid it.
    package static func setarch(in path: String? = ProcessInfo.processInfo.environment["PATH"]) -> String? {
        guard let found = Programs.find("setarch", in: path) else { return nil }
        return Tool.output(of: "setarch", ["-R", "true"], within: 5) == nil ? nil : found
    }
}

/// Copies an executable with its debug sections renamed, so that no tool reads them.
///
/// Valgrind up to 3.20 fails with "I can't recover" on the DWARF 5 of current compilers, and it reads every section
/// named `.debug_`. The symbols, which name the functions, stay. Only the table of section names changes: ELF-64
/// little-endian, System V ABI, chapter 4.
package enum HiddenDebugSections {
    /// The bytes of `executable` with the sections renamed; unchanged if it isn't an ELF-64 file.
    package static func hidden(_ executable: Data) -> Data {
        var bytes = executable
        func number(_ offset: UInt64, _ size: Int) -> UInt64? {
            guard offset <= UInt64(bytes.count), UInt64(bytes.count) - offset >= UInt64(size) else { return nil }
            return (0..<size).reduce(0) { $0 | UInt64(bytes[Int(offset) + $1]) << (8 * UInt64($1)) }
        }
        guard bytes.count >= 64, bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]),
            let table = number(40, 8), let size = number(58, 2), let count = number(60, 2), let names = number(62, 2),
            table <= UInt64(bytes.count), let start = number(table + names * size + 24, 8),
            start <= UInt64(bytes.count)
        else { return executable }
        let prefix = Array(".debug_".utf8)
        for section in 0..<count {
            guard let offset = number(table + section * size, 4) else { return executable }
            let name = start + offset
            guard name + UInt64(prefix.count) <= UInt64(bytes.count) else { continue }
            let range = Int(name)..<Int(name) + prefix.count
            if bytes[range].elementsEqual(prefix) { bytes[Int(name) + 1] = UInt8(ascii: "x") }
        }
        return bytes
    }
}
