import Foundation
import Platform

/// What has to be the same for two counts to be compared though they were taken on different days: the compiler that made
/// the code, and what the code and the C library choose their instructions by.
struct BaselineKey: Hashable, Sendable, CustomStringConvertible {
    /// The compiler: `6.3.1`.
    var swift: String
    /// As the system names it: `x86_64`.
    var architecture: String
    /// Name and version: `glibc 2.36`.
    var libc: String
    /// Those that make a difference, sorted.
    var features: [String]

    /// Of this process.
    static let current = BaselineKey(
        swift: SwiftVersion.compiler, architecture: architecture, libc: libraryVersion,
        features: features(ofCPUInformation: ProcFile.contents("/proc/cpuinfo")))

    var description: String {
        "Swift \(swift), \(architecture), \(libc), \(features.isEmpty ? "no features known" : features.joined(separator: " "))"
    }

    /// Extensions by which checksums, copies and searches choose how they are done.
    private static let telling: Set<String> = [
        "aes", "asimd", "atomics", "avx", "avx2", "avx512bw", "avx512f", "avx512vl", "bmi1", "bmi2", "crc32", "erms",
        "fsrm", "pclmulqdq", "pmull", "sha1", "sha2", "sse4_1", "sse4_2", "ssse3", "sve", "sve2",
    ]

    /// The lines `flags : …` (x86) or `Features : …` (Arm) of `/proc/cpuinfo`, whose first processor speaks for all.
    static func features(ofCPUInformation text: String) -> [String] {
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            let name = parts.first?.trimmingCharacters(in: .whitespaces) ?? ""
            guard parts.count == 2, name == "flags" || name == "Features" else { continue }
            return parts[1].split(separator: " ").map(String.init).filter(telling.contains).sorted()
        }
        return []
    }

    private static var architecture: String {
        var names = utsname()
        guard uname(&names) == 0 else { return "unknown" }
        return withUnsafeBytes(of: names.machine) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
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
