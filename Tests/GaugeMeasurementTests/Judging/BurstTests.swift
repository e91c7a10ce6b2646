import Foundation
import TestSupport
import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

/// A cache that does the work of many operations at once, on a machine whose disturbances are known.
@Suite("Verdicts on work in bursts") struct BurstTests {
    /// One process: each operation takes a time, and every so many of them a pause.
    private struct Cache {
        var each = 600.0
        var pause = 0.0
        var every = 1
        /// The number of the next operation.
        var next = 0

        /// The processor time of a batch, nanoseconds.
        mutating func batch(_ operations: Int) -> Double {
            let before = next / every
            next += operations
            return Double(operations) * each + Double(next / every - before) * pause
        }
    }

    /// Slices of 2 ms on a machine that is slow now and then, whose probes tell.
    private struct Machine {
        var random: Xoshiro256
        /// The part of batches in the slow mode, and the time there.
        var slow = 0.03
        var factor = 1.6
        private var isSlow = false

        init(seed: UInt64, slow: Double = 0.03) {
            random = Xoshiro256(seed: seed)
            self.slow = slow
        }

        mutating func slice(of cache: inout Cache, process: Double) -> SliceReply {
            let operations = 800
            var report = SliceReply()
            var (costs, probes): ([UInt64], [UInt64]) = ([], [])
            var spent = 0.0
            repeat {
                if random.nextUnit() < 0.05 { isSlow = random.nextUnit() < slow }
                probes.append(isSlow ? 8_000 : 5_000)
                let cost =
                    cache.batch(operations) * exp(process + 0.005 * random.nextNormal()) * (isSlow ? factor : 1)
                costs.append(UInt64(cost))
                spent += cost
            } while spent < 2_000_000
            probes.append(isSlow ? 8_000 : 5_000)
            (report.batchOperations, report.operations) = (operations, operations * costs.count)
            (report.batches, report.batchCPU, report.probes) = (costs, costs, probes)
            report.restNanoseconds = 0
            return report
        }

        /// One set of two processes whose slices alternate.
        mutating func set(_ a: Cache, _ b: Cache, rows: Int) -> SetRecord {
            var caches = [a, b]
            let processes = (0..<2).map { _ in 0.003 * random.nextNormal() }
            for arm in 0..<2 { caches[arm].next = Int(random.next(below: UInt64(caches[arm].every))) }
            var slices: [[SliceReply]] = [[], []]
            for row in 0..<rows {
                for arm in row % 2 == 0 ? [0, 1] : [1, 0] {
                    slices[arm].append(slice(of: &caches[arm], process: processes[arm]))
                }
            }
            return SetRecord(slices: slices, tails: [], tailObstacle: "none")
        }

        /// A comparison of ten seconds, as `compare` makes it.
        mutating func judge(_ a: Cache, _ b: Cache, sets most: Int = 24) -> RowJudgement {
            let plan = SetPlan.comparison(seconds: 10)
            var (sets, budget): ([SetRecord], Double) = ([], Double(most))
            while sets.count < 4 || budget > 0 {
                let stretch = plan.stretch(after: sets)
                // Starting processes takes as long as a usual set.
                budget -= (1 + stretch) / 2
                var set = set(a, b, rows: Int(62 * stretch))
                set.stretch = stretch
                sets.append(set)
            }
            return RowJudgement(sets.compactMap { SetChanges($0) }, .comparison(delta: JudgingRule.comparisonDelta))
        }
    }

    /// Sorts and halves its entries when it is full, and the same with a list: as measured at 1,000 and 100,000
    /// entries.
    private static let sorting = (
        small: Cache(each: 480, pause: 69_000, every: 500), large: Cache(each: 810, pause: 46_800_000, every: 50_000)
    )
    private static let listed = (small: Cache(each: 623), large: Cache(each: 1_557))

    @Test("a list in the place of sorting is never called worse, though an operation takes longer between the bursts")
    func list() {
        var (small, large): ([Verdict: Int], [Verdict: Int]) = ([:], [:])
        for seed in 1...nightly(20, else: 6) as ClosedRange<UInt64> {
            var machine = Machine(seed: seed)
            let one = machine.judge(Self.sorting.small, Self.listed.small)
            small[one.time.verdict, default: 0] += 1
            #expect(one.face == .bursts, "seed \(seed)")
            let other = machine.judge(Self.sorting.large, Self.listed.large)
            large[other.time.verdict, default: 0] += 1
            #expect(other.tails[.pause]?.verdict == .better, "seed \(seed)")
        }
        #expect(small[.worse] == nil && small[.inconclusive] ?? 0 <= nightly(4, else: 2), "\(small)")
        #expect(large[.worse] == nil && large[.inconclusive] ?? 0 <= nightly(4, else: 2), "\(large)")
    }

    @Test("sorting in the place of a list is never called better, and worse in its pause") func sort() {
        for seed in 21...nightly(40, else: 26) as ClosedRange<UInt64> {
            var machine = Machine(seed: seed)
            #expect(machine.judge(Self.listed.small, Self.sorting.small).time.verdict != .better, "seed \(seed)")
            let large = machine.judge(Self.listed.large, Self.sorting.large)
            #expect(large.time.verdict != .better && large.tails[.pause]?.verdict == .worse, "seed \(seed)")
        }
    }

    @Test("a pause of 3 ms at every 50,000th operation is called, in the mean and as a pause") func planted() {
        for seed in 1...nightly(20, else: 6) as ClosedRange<UInt64> {
            var machine = Machine(seed: seed)
            let judgement = machine.judge(Cache(), Cache(pause: 3_000_000, every: 50_000))
            #expect(judgement.tails[.pause]?.verdict == .worse, "seed \(seed)")
            #expect(judgement.time.verdict == .worse && judgement.face == .bursts, "seed \(seed)")
        }
    }

    @Test("equal caches are judged by the undisturbed time, and not accused", arguments: [0.03, 0.5])
    func equal(slow: Double) {
        var faces: [TimeFace: Int] = [:]
        for seed in 1...nightly(20, else: 6) as ClosedRange<UInt64> {
            var machine = Machine(seed: seed, slow: slow)
            let judgement = machine.judge(Cache(), Cache())
            faces[judgement.face, default: 0] += 1
            #expect(![.worse, .better].contains(judgement.time.verdict), "seed \(seed)")
            #expect(![.worse, .better].contains(judgement.tails[.pause]?.verdict), "seed \(seed)")
        }
        #expect(
            faces[.bursts] == nil
                && faces[.undisturbed] ?? 0 >= (slow < 0.1 ? nightly(20, else: 6) : nightly(5, else: 1)), "\(faces)")
    }

    @Test(
        "one per cent is called in ten seconds on a quiet machine, and on one that is slow half of the time never wrongly",
        arguments: [(0.03, 19), (0.5, 8)])
    func precise(slow: Double, least: Int) {
        let count = nightly(20, else: 8)
        let verdicts = (1...UInt64(count)).map { seed -> Verdict in
            var machine = Machine(seed: seed, slow: slow)
            return machine.judge(Cache(), Cache(each: 606)).time.verdict
        }
        #expect(
            20 * verdicts.count { $0 == .worse } >= least * count - nightly(0, else: 20) && !verdicts.contains(.better),
            "\(slow): \(verdicts)")
    }

    @Test(
        "the undisturbed time stands for the mean within half of delta, and certainly beyond it the mean counts",
        arguments: [
            (0.0, 1e-4, TimeFace.undisturbed), (0.002, 1e-4, .undisturbed), (0.003, 1e-4, .bursts),
            (-0.1, 1e-3, .bursts), (0.002, 2e-3, .mean), (0.0, 0.02, .mean),
        ])
    func faces(excess: Double, scatter: Double, face: TimeFace) {
        let sets = (0..<12).map { number in
            let off = scatter * (Double(number) / 5.5 - 1)
            return SetChanges(time: Contrast(change: 0.01), mean: Contrast(change: 0.01 + excess + off))
        }
        let judgement = RowJudgement(sets, .comparison(delta: 0.005))
        #expect(judgement.face == face)
        if face == .undisturbed { #expect(judgement.time.verdict == .worse) }
    }

    @Test("without means the undisturbed time is all there is, and one set without is enough for that") func unknown() {
        var sets = (0..<8).map { _ in
            SetChanges(time: Contrast(change: 0.2), mean: Contrast(change: -0.1))
        }
        #expect(RowJudgement(sets, .comparison(delta: 0.005)).time.verdict == .better)
        sets[3] = SetChanges(time: Contrast(change: 0.2))
        let judgement = RowJudgement(sets, .comparison(delta: 0.005))
        #expect(judgement.face == .undisturbed && judgement.time.verdict == .worse)
    }
}
