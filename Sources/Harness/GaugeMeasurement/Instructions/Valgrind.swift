import Foundation
import GaugeSupport
import Platform

/// Starts callgrind so that it counts the same on every run: only the needed variables of the caller's environment, a
/// fixed seed for Swift's hashing, fixed addresses, and threads scheduled in a fixed order.
package struct Valgrind {
    package let valgrind: String
    /// Turns address randomisation off; without it counts differ by a few parts in a million.
    package let setarch: String?

    /// - Throws: `GaugeError` when valgrind is not installed.
    package init(path: String? = ProcessInfo.processInfo.environment["PATH"]) throws {
        guard let found = Programs.find("valgrind", in: path) else {
            throw GaugeError(
                "instructions are counted by valgrind, which is not installed; install it, as by apt install valgrind")
        }
        valgrind = found
        setarch = FixedSurroundings.setarch(in: path)
    }

    /// The arguments that precede the executable on the command line.
    ///
    /// Each time the measured region ends, callgrind writes a profile of that region alone: `output.1`, `output.2`, …
    ///
    /// - Parameter isOnDemand: whether the executable itself starts counting (`MeasuredRegion`), until which it runs
    ///   faster. An older build does not.
    package func wrapper(output: String, isOnDemand: Bool = false) -> [String] {
        (setarch.map { [$0, "-R"] } ?? []) + [
            // What a user sets in `.valgrindrc` changes the counts, or the form of the profile.
            valgrind, "--command-line-only=yes", "--tool=callgrind", "--fair-sched=yes",
            "--callgrind-out-file=\(output)", "--toggle-collect=\(Self.region)",
            "--dump-after=\(Self.region)", "--error-limit=no", "--collect-systime=yes", "--vgdb=no",
        ] + (isOnDemand ? ["--instr-atstart=no"] : [])
    }

    /// See `cs_measured_region`.
    private static let region = "cs_measured_region"
}
