import Foundation
import Platform

/// How callgrind is started so that it counts the same on every run: nothing of the caller's environment but what is
/// needed, Swift's hashing with a fixed seed, addresses that stay, threads that take turns in a fixed order.
struct Valgrind {
    let valgrind: String
    /// Turns address randomisation off; without it counts differ by some parts in a million.
    let setarch: String?

    /// - Throws: `GaugeError` where valgrind is not installed.
    init(path: String? = ProcessInfo.processInfo.environment["PATH"]) throws {
        guard let found = Programs.find("valgrind", in: path) else {
            throw GaugeError(
                "instructions are counted by valgrind, which is not installed; install it, as by apt install valgrind")
        }
        valgrind = found
        setarch = FixedSurroundings.setarch(in: path)
    }

    /// What stands before the executable on the command line.
    ///
    /// Each time the measured region ends, a profile of it alone is written: `output.1`, `output.2`, …
    func wrapper(output: String) -> [String] {
        (setarch.map { [$0, "-R"] } ?? []) + [
            valgrind, "--tool=callgrind", "--fair-sched=yes", "--callgrind-out-file=\(output)",
            "--toggle-collect=\(Self.region)", "--dump-after=\(Self.region)", "--error-limit=no",
            "--collect-systime=yes", "--vgdb=no",
        ]
    }

    /// See `cs_measured_region`.
    private static let region = "cs_measured_region"
}
