import Foundation
import Platform

/// What a process is started with so that it counts the same on every run: nothing of the caller's environment but what is
/// needed, Swift's hashing with a fixed seed, addresses that stay.
@usableFromInline
enum FixedSurroundings {
    /// Not an option of the worker: one of an older build would refuse to start.
    private static let unhurried = "CACHEGAUGE_UNHURRIED"

    /// Whether this process was started so. What a benchmark does before it is measured then has to be done to its end,
    /// however long it takes, where code runs fifty times as slowly: a count is of the same work every time.
    @usableFromInline static let isUnhurried = getenv(unhurried) != nil

    /// - Parameter libraries: the directory of the original executable, beside which its libraries may lie.
    static func environment(libraries: String, isUnhurried: Bool = false) -> [String] {
        let kept = ["HOME", "PATH", "TMPDIR"].compactMap { name in
            ProcessInfo.processInfo.environment[name].map { "\(name)=\($0)" }
        }
        let libraryPath = [libraries, ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? ""]
        return kept + [
            "LD_LIBRARY_PATH=\(libraryPath.filter { !$0.isEmpty }.joined(separator: ":"))",
            "SWIFT_DETERMINISTIC_HASHING=1", "SWIFT_BACKTRACE=enable=no", "GLIBC_TUNABLES=glibc.malloc.hugetlb=0",
            "LANG=C",
        ] + (isUnhurried ? ["\(unhurried)=1"] : [])
    }

    /// The program that turns address randomisation off, where it is installed and allowed to: containers often forbid it.
    static func setarch(in path: String? = ProcessInfo.processInfo.environment["PATH"]) -> String? {
        guard let found = Programs.find("setarch", in: path) else { return nil }
        return CommandOutput.of("setarch", ["-R", "true"], within: 5) == nil ? nil : found
    }
}
