import Foundation

/// Fuzzes the mutants that neither tests nor replay killed, with the copy's script.
struct Fuzzing {
    let copy: MutatedCopy
    /// Seconds of fuzzing for each mutant, shared by the targets that reach its place.
    let seconds: Int
    let seed: UInt64

    /// Builds the instrumented copy.
    func build() throws {
        let result = try Command.run(
            ["\(copy.root)/Fuzz/fuzz", "build"], log: copy.root + "/fuzz.log", limits: Limits())
        guard result.status == 0 else { throw Failure("the instrumented copy does not build: \(try result.output())") }
    }

    /// Fuzzes `targets` in turn until one of them stops at a crash.
    func outcome(mutant: Int, targets: [String]) throws -> Outcome {
        guard !targets.isEmpty else { return Outcome(kind: .unreached, seconds: 0, detail: "") }
        let work = "\(copy.root)/Fuzz/.work"
        let share = max(seconds / targets.count, 1)
        var spent = 0.0
        for target in targets {
            // Inputs found with an earlier mutant may break promises without this one.
            try? FileManager.default.removeItem(atPath: work)
            let result = try Command.run(
                [
                    "\(copy.root)/Fuzz/fuzz", "run", target, String(share), "--seed",
                    String(max(1, UInt32(truncatingIfNeeded: seed))),
                ],
                log: copy.root + "/fuzz.log", environment: ["CACHEGAUGE_MUTANT": String(mutant)],
                limits: Limits(seconds: share + 600))
            spent += result.seconds
            let findings = try? FileManager.default.contentsOfDirectory(atPath: "\(work)/\(target)/artifacts")
            if findings?.isEmpty ?? true {
                guard result.status == 0 else {
                    throw Failure("Fuzz/fuzz run \(target): \(try result.output().suffix(2_000))")
                }
                continue
            }
            return Outcome(kind: .killed, seconds: spent, detail: target)
        }
        return Outcome(kind: .survived, seconds: spent, detail: "")
    }
}
