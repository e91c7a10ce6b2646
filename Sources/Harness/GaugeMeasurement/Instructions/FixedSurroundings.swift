import Foundation
import GaugeSupport
import Platform

/// The environment in which a process counts the same on every run: only the needed variables of the caller's
/// environment, a fixed seed for Swift's hashing, and fixed addresses.
@usableFromInline
package enum FixedSurroundings {
    /// An environment variable and not an option of the worker, since an older build would reject an unknown option.
    private static let unhurried = "CACHEGAUGE_UNHURRIED"

    /// Whether this process was started in this environment. A benchmark must then finish its preparation however long
    /// it takes, although code runs fifty times as slowly: a count must cover the same work every time.
    @usableFromInline package static let isUnhurried = getenv(unhurried) != nil

    /// - Parameter libraries: the directory of the original executable, which may also hold its libraries.
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

    /// The program that turns address randomisation off, where it is installed and permitted; containers often forbid
    /// it.
    package static func setarch(in path: String? = ProcessInfo.processInfo.environment["PATH"]) -> String? {
        guard let found = Programs.find("setarch", in: path) else { return nil }
        return Tool.output(of: "setarch", ["-R", "true"], within: 5) == nil ? nil : found
    }
}
