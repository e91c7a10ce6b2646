import Foundation
import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

@Suite("Summary of a run") struct RunSummaryTests {
    private func row(
        _ stage: String, _ name: String, _ subject: String, ratio: Double? = nil, error: Double = 0.01
    ) -> ResultRow {
        var row = ResultRow(name: BenchmarkName(stage, name, subject), isPeer: ratio != nil)
        (row.operations, row.median) = (10, 2_310)
        row.undisturbed = Estimate(2_310, in: 2_300...2_320)
        row.ratio = ratio
        row.ratioInterval = ratio.map { $0 * (1 - error)...$0 * (1 + error) }
        return row
    }

    private func text(_ rows: [ResultRow], changes: [String] = []) -> String {
        RunSummary(SampleDocument.make(rows), changes: changes).text
    }

    @Test("an application's calls say how many times faster they are than Foundation's, with the error")
    func application() {
        let summary = text([row("url-cache", "hit", "tiered"), row("url-cache", "hit", "foundation", ratio: 9.1)])
        #expect(summary.contains("  hit         2.31 µs, ran 9.10 ± 0.09 times faster than foundation\n"), "\(summary)")
        let slower = text([row("url-cache", "hit", "tiered"), row("url-cache", "hit", "foundation", ratio: 0.5)])
        #expect(slower.contains("2.00 ± 0.02 times slower than foundation"), "\(slower)")
    }

    @Test("a peer that is faster is named, a subject by its title, and what is usual stands last in the table")
    func nearest() {
        var usual = row("memory", "a", "usual", ratio: 50)
        usual.isUsual = true
        let rows = [
            row("memory", "a", "tiered"), usual, row("memory", "a", "near", ratio: 0.8), row("disk", "b", "tiered"),
        ]
        #expect(text(rows).contains("faster than ours: memory/a/near\n"))
        #expect(text(rows).contains("  memory         0.80× (0.79 to 0.81)    a/near\n"), "\(text(rows))")
        let table = RunTable.text(rows, .short).split(separator: "\n").map { $0.prefix { $0 != "2" } }
        let names = table.dropFirst(2).map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(
            names == [
                "memory", "a/tiered", "a/near", "disk", "b/tiered", "what programs usually have", "memory/a/usual",
            ])
        let own = row("url-cache", "hit", "tiered")
        let summary = RunSummary(
            SampleDocument.make([own, row("url-cache", "hit", "peer", ratio: 9)]), titles: ["peer": "Somebody's Cache"])
        #expect(summary.text.contains("times faster than Somebody's Cache\n"))
    }

    @Test("a stage has the geometric mean of its nearest peers, its interval, and the least ratio") func stages() {
        let summary = text([
            row("memory", "a", "near", ratio: 2), row("memory", "a", "far", ratio: 50),
            row("memory", "b", "near", ratio: 8),
        ])
        #expect(summary.contains("  memory         4.00× (3.97 to 4.03)    least 2.00× a/near\n"), "\(summary)")
    }

    @Test("a case whose nearest peer may be one without a ratio does not count by the next one, and is named")
    func unsure() {
        var near = row("memory", "a", "near", ratio: 1)
        near.ratio = nil
        let own = row("memory", "a", "tiered")
        let others = [
            row("memory", "a", "far", ratio: 50), row("memory", "b", "near", ratio: 8), own,
            row("memory", "b", "tiered"),
        ]
        let rows = [near] + others
        #expect(text(rows).contains("  memory         8.00× (7.92 to 8.08)    b/near\n"), "\(text(rows))")
        #expect(text(rows).contains("left out, nearest peer had no undisturbed time: memory/a\n"), "\(text(rows))")
        var slow = near
        slow.median = 5_000
        let sure = text([slow] + others)
        #expect(sure.contains("20.0× ("), "a peer that takes twice as long is not the nearest: \(sure)")
        #expect(!sure.contains("left out"))
        var failed = near
        failed.failure = .timedOut
        #expect(!text([failed] + others).contains("left out, nearest"))
        let alone = text([near, own])
        #expect(!alone.contains("memory  ") && alone.contains("undisturbed time: memory/a"))
        var ours = own
        ours.failure = .timedOut
        #expect(!text([near, ours]).contains("undisturbed time"))
    }

    @Test("a case that only has what programs usually have does not count, nor does one without a row of ours")
    func incomparableCases() {
        func usual(_ name: String, ratio: Double?) -> ResultRow {
            var usual = row("two-tier", name, "usual", ratio: ratio)
            (usual.isUsual, usual.isPeer) = (true, true)
            return usual
        }
        var own = ["zipf", "zipf-hit"].map { row("two-tier", $0, "tiered") }
        let near = row("two-tier", "zipf", "near", ratio: 2)
        let rows = [near, usual("zipf", ratio: 1.5), usual("zipf-hit", ratio: 6_536)]
        // The nearest counts, whoever it is.
        #expect(
            text(own + rows).contains("  two-tier       1.50× (1.49 to 1.52)    zipf/usual\n"), "\(text(own + rows))")
        #expect(!text(own + [rows[2]]).contains("two-tier  "))
        #expect(!text(own + [usual("zipf", ratio: nil)]).contains("left out"))
        var promoted = row("two-tier", "zipf-disk-hit", "near", ratio: 1)
        promoted.ratio = nil
        #expect(text(own + rows + [promoted]).contains("left out, no such row of ours: two-tier/zipf-disk-hit\n"))
        own.append(row("two-tier", "zipf-disk-hit", "tiered"))
        #expect(text(own + rows + [promoted]).contains("undisturbed time: two-tier/zipf-disk-hit\n"))
        // A run of peers alone compares nothing.
        #expect(!text([promoted]).contains("left out"))
    }

    @Test(
        "how many times faster has three digits at most, and an error as fine",
        arguments: [
            (9.94, "9.94 ± 0.10 times faster"), (9.96, "10.0 ± 0.1 times faster"), (99.4, "99.4 ± 1.0 times faster"),
            (99.6, "100 ± 1 times faster"), (0.01, "100 ± 1 times slower"), (0, "at full speed too rarely"),
        ])
    func sentences(ratio: Double, expected: String) {
        let peer = row("url-cache", "hit", "files", ratio: ratio)
        let sentence = RunSummary(SampleDocument.make([])).sentence(peer)
        #expect(sentence.hasPrefix(expected) && sentence.contains("files"), "\(sentence)")
    }

    @Test("of a machine that tells nothing, only the missing part of stolen time is told") func unknownMachine() {
        var document = SampleDocument.make([])
        document.noise = NoiseReport()
        #expect(RunSummary(document).text.contains("machine: steal \(Quantity.missing)"))
    }

    @Test("a peer without a ratio, or one too close to call, is told as such; one without a partner is left out")
    func incomparable() {
        var rows = [row("url-cache", "hit", "tiered"), row("url-cache", "hit", "files", ratio: 1.001)]
        #expect(text(rows).contains("ran too close to files to call"))
        rows[1].ratio = nil
        rows[0].undisturbed = nil
        #expect(text(rows).contains("2.31 µs, ran at full speed too rarely for a ratio to files"))
        #expect(!text([rows[1]]).contains("an application's calls"))
        // Threads have a throughput and no time of one call.
        (rows[1].median, rows[1].operationsPerSecond) = (nil, 1_000)
        #expect(!text(rows).contains("an application's calls"))
        (rows[1].ratio, rows[1].operationsPerSecond) = (1.001, nil)
        #expect(text(rows).contains("ran too close to files to call"))
    }

    @Test("the mean of a stage is geometric, and its interval adds the errors as squares") func means() throws {
        let rows = [2.0, 3, 5, 7].enumerated().map { row("disk", "\($0)", "files", ratio: $1, error: 0.02) }
        let mean = pow(210, 0.25)
        let reach = pow(4 * pow(log1p(0.02), 2), 0.5) / 4
        let ends = [mean * exp(-reach), mean * exp(reach)].map { String(format: "%.2f", $0) }
        #expect(text(rows).contains("\(String(format: "%.2f", mean))× (\(ends[0]) to \(ends[1]))"), "\(text(rows))")
    }

    @Test("failures, wrong answers and ratios too close to call are named") func troubles() {
        var failed = row("disk", "a", "peer")
        failed.failure = .crashed(signal: 11)
        var wrong = row("disk", "b", "peer")
        wrong.wrong = 3
        let close = row("disk", "c", "peer", ratio: 1.001)
        let summary = text([failed, wrong, close])
        #expect(summary.contains("failed: disk/a/peer crashed (SIGSEGV)\n"), "\(summary)")
        #expect(summary.contains("wrong answers: disk/b/peer 3\n"))
        #expect(summary.contains("too close to call: disk/c/peer\n"))
    }

    @Test("hits are told for each number of threads, of subjects that have several") func threads() {
        func hits(_ label: String, _ subject: String, threads: Int, rate: Double) -> ResultRow {
            var row = row("memory", "hits/1k/\(label)", subject)
            (row.threads, row.operationsPerSecond) = (threads, rate)
            return row
        }
        let summary = text([
            hits("2-threads", "tiered", threads: 2, rate: 71.2e6), hits("1-thread", "tiered", threads: 1, rate: 37e6),
            hits("1-thread", "plain-lru", threads: 1, rate: 34.5e6),
        ])
        #expect(
            summary.contains(
                "hits a second on so many threads:\n  memory/hits/1k/tiered          1: 37.0 M, 2: 71.2 M\n"),
            "\(summary)")
        #expect(!summary.contains("hits/1k/plain-lru"))
    }

    @Test("it fits 24 lines of 80 columns, however much there is to say") func size() {
        let rows = (0..<100).flatMap { number -> [ResultRow] in
            var failed = row("stage-\(number)", String(repeating: "x", count: 90), "peer", ratio: 1.5)
            failed.failure = number % 2 == 0 ? .timedOut : nil
            failed.wrong = number
            return [failed, row("url-cache", "\(number)", "tiered")]
        }
        for summary in [text(rows, changes: ["since the last run", "  x"]), text([]), text(SampleDocument.all)] {
            let lines = summary.split(separator: "\n")
            #expect(lines.count <= 24 && lines.allSatisfy { $0.count <= 80 }, "\(summary)")
            #expect(
                lines.last?.hasPrefix("details: ") == true && lines.last?.hasSuffix("compare A B") == true, "\(summary)"
            )
        }
    }

    @Test(
        "the table has a heading for each stage and fits the terminal, but for a name that is longer",
        arguments: [false, true])
    func table(countsInstructions: Bool) {
        let long = row("disk", String(repeating: "long/", count: 30), "peer", ratio: 12_345)
        var failed = row("date", "imf", "peer")
        (failed.median, failed.failure) = (nil, .failed(reason: String(repeating: "no ", count: 60)))
        var slow = row("date", "imf", "slow")
        (slow.undisturbed, slow.overSets) = (nil, Estimate(2_310))
        let rows = SampleDocument.all + [long, failed, slow]
        for width in [80, 100, 120] {
            let text = RunTable.text(rows, .short, countsInstructions: countsInstructions, width: width)
            let short = text.split(separator: "\n").filter { !$0.contains("long/long") }
            #expect(short.allSatisfy { $0.count <= width } && text.contains("~ slow host"), "\(text)")
        }
        let text = RunTable.text(rows, .short, countsInstructions: countsInstructions)
        for stage in ["key-hash", "disk", "two-tier", "date"] {
            #expect(text.split(separator: "\n").contains { $0.split(separator: " ").first == Substring(stage) })
        }
        #expect(text.contains("  40/tiered"))
    }

    @Test("colours change nothing else in the table") func colours() {
        let plain = RunTable.text(SampleDocument.all, .short)
        let coloured = RunTable.text(SampleDocument.all, .short, isColoured: true)
        #expect(coloured != plain)
        #expect(coloured.replacing(/\u{1B}\[\d+m/, with: "") == plain)
        // The rows of peers are dimmed.
        #expect(coloured.contains("\u{1B}[2m  hit/4k/files\u{1B}[0m") && !coloured.contains("[2m  40/tiered"))
    }

    @Test("an error of more than a tenth is told as a range of two digits, never as a value with its error")
    func range() {
        func told(_ ratio: Double, _ interval: ClosedRange<Double>) -> String {
            var peer = row("url-cache", "hit", "foundation", ratio: ratio)
            peer.ratioInterval = interval
            return text([row("url-cache", "hit", "tiered"), peer])
        }
        #expect(told(5_342, 3_322...7_362).contains("ran 3300 to 7400 times faster than foundation"))
        #expect(told(0.25, 0.2...0.4).contains("ran 2.5 to 5.0 times slower than foundation"))
        #expect(told(56, 46...66).contains("ran 46 to 66 times faster"))
        #expect(told(11.2, 10.8...11.6).contains("ran 11.2 ± 0.4 times faster"))
    }

    @Test("stages that do not fit are counted") func manyStages() throws {
        let summary = text((0..<40).map { row("stage-\($0)", "x", "peer", ratio: 3) })
        let shown = summary.split(separator: "\n").count { $0.contains("stage-") }
        #expect(summary.contains("  and \(40 - shown) more stages, in the table\n"), "\(summary)")
        #expect(shown > 10 && summary.split(separator: "\n").count == RunSummary.lines)
    }

    @Test("with much trouble, the threads are shortened first, and the stages keep their heading") func crowded() {
        func hits(_ name: String, _ threads: Int) -> ResultRow {
            var row = row("memory", "hits/\(name)/\(threads)-threads", "tiered")
            (row.threads, row.operationsPerSecond) = (threads, 1e6)
            return row
        }
        let threads = (1...6).flatMap { [hits("\($0)k", 1), hits("\($0)k", 2)] }
        let stages = (0..<7).flatMap { [row("stage-\($0)", "x", "tiered"), row("stage-\($0)", "x", "peer", ratio: 3)] }
        let heading = "how many times as long the nearest peer takes, mean of a stage's cases:"
        func lines(_ changes: Int) -> [String] {
            text(threads + stages, changes: Array(repeating: "change", count: changes)).split(separator: "\n")
                .map(String.init)
        }
        let (roomy, full, crowded, tight) = (lines(6), lines(7), lines(11), lines(16))
        #expect(
            roomy.count { $0.hasPrefix("  memory/hits") } == 6
                && roomy.contains("  stage-6        3.00× (2.97 to 3.03)    x/peer"))
        #expect(full.count { $0.hasPrefix("  memory/hits") } == 2 && full.count { $0.hasPrefix("  stage-") } == 7)
        #expect(crowded.contains(heading) && crowded.contains("  and 2 more stages, in the table"), "\(crowded)")
        #expect(!tight.contains(heading) && tight.contains("nearest peers of 7 stages: in the table"), "\(tight)")
        let one = (10...20).map { count in
            text(threads + stages.prefix(2), changes: Array(repeating: "change", count: count))
        }
        #expect(one.contains { $0.contains("\nnearest peers of 1 stage: in the table\n") }, "\(one)")
        #expect([full, crowded, tight].allSatisfy { $0.count <= 24 && $0.last?.hasPrefix("details: ") == true })
    }

    @Test("rows with two modes, typical times and the state of the machine are told, each in its own line")
    func machine() {
        var (modes, slow) = (row("disk", "a", "one"), row("disk", "b", "two"))
        modes.modes = Modes(fast: 1, slow: 2, slowPart: 0.5)
        slow.undisturbed = nil
        var own = row("disk", "c", "tiered")
        own.ratio = 1
        var document = SampleDocument.make([modes, slow, own])
        document.noise = NoiseReport(
            stolen: 0.03, loadBefore: 1.5, loadAfter: 2.5, processors: 8, pairs: [0.04], clock: 3, referenceClock: 2.5)
        let lines = RunSummary(document).text.split(separator: "\n").map(String.init)
        #expect(lines.contains("two modes: disk/a/one") && lines.contains("~ slow host, typical times: disk/b/two"))
        #expect(lines.contains("machine: 3.00 GHz, times at 2.50, steal 3.0 %, load 2.50 of 8, A/A ±4.0 %"), "\(lines)")
        #expect(!lines.contains { $0.hasPrefix("too close to call") })
    }
}
