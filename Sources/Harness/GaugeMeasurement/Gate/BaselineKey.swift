import Foundation
import GaugeSupport
import Platform

/// What must be equal to compare two counts from different days: the compiler, and the processor features by which the
/// code and the C library select instructions.
package struct BaselineKey: Hashable, Sendable, CustomStringConvertible {
    /// The compiler: `6.3.1`.
    package var swift: String
    /// The architecture, as the system names it: `x86_64`.
    package var architecture: String
    /// The C library's name and version: `glibc 2.36`.
    package var libc: String
    /// The relevant processor features, sorted.
    package var features: [String]
    /// The version of valgrind, which replaces some functions of the C library: `3.19.0`; empty without it.
    package var valgrind: String

    package init(swift: String, architecture: String, libc: String, features: [String], valgrind: String = "") {
        (self.valgrind, self.swift, self.architecture) = (valgrind, swift, architecture)
        (self.libc, self.features) = (libc, features)
    }

    package static let current = BaselineKey(
        swift: SwiftVersion.compiler, architecture: RunEnvironment.system().machine, libc: libraryVersion,
        features: features(ofCPUInformation: ProcFile.contents("/proc/cpuinfo")),
        valgrind: Tool.output(of: "valgrind", ["--version"], within: 5).map(version) ?? "")

    package var description: String {
        "Swift \(swift), \(architecture), \(libc), \(valgrind.isEmpty ? "" : "valgrind \(valgrind), ")"
            + (features.isEmpty ? "no features known" : features.joined(separator: " "))
    }

    /// `3.19.0`, of `valgrind-3.19.0`.
    private static func version(_ output: String) -> String {
        let line = output.prefix { !$0.isNewline }
        return String(line.hasPrefix("valgrind-") ? line.dropFirst(9) : line)
    }

    /// Processor extensions that select implementations of checksums, copies and searches.
    private static let telling: Set<String> = [
        "aes", "asimd", "atomics", "avx", "avx2", "avx512bw", "avx512f", "avx512vl", "bmi1", "bmi2", "crc32", "erms",
        "fsrm", "pclmulqdq", "pmull", "sha1", "sha2", "sse4_1", "sse4_2", "ssse3", "sve", "sve2",
    ]

    /// Reads the lines `flags : …` (x86) or `Features : …` (Arm) of `/proc/cpuinfo`. The first processor stands for
    /// all.
    package static func features(ofCPUInformation text: String) -> [String] {
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            let name = parts.first?.trimmingCharacters(in: .whitespaces) ?? ""
            guard parts.count == 2, name == "flags" || name == "Features" else { continue }
            return parts[1].split(separator: " ").map(String.init).filter(telling.contains).sorted()
        }
        return []
    }

    private static var libraryVersion: String {
        #if canImport(Glibc)
        // `glibc 2.36`.
        var name = [CChar](repeating: 0, count: 64)
        guard confstr(Int32(_CS_GNU_LIBC_VERSION), &name, name.count) > 0 else { return "glibc" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        #elseif canImport(Darwin)
        return "Darwin"
        #else
        return "another C library"
        #endif
    }
}
