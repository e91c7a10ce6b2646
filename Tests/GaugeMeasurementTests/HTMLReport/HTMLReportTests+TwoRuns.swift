import Foundation
import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

/// Two runs on one page.
extension HTMLReportTests {
    @Test("two runs are compared side by side, and each plot says which run it is of") func twoRuns() throws {
        var slower = SampleDocument.batched
        (slower.median, slower.interval) = (210.5, 206...216)
        slower.undisturbed = Estimate(204, in: 202...206)
        let page = HTMLReport([try run([SampleDocument.batched]), try run([slower])]).text
        #expect(page.contains("<h2>B against A</h2>"))
        #expect(page.contains("<td>+100.0 %</td>") && page.contains("<td class=\"worse\">worse</td>"), "\(page)")
        #expect(page.contains("<td>102 ns</td><td>204 ns</td><td>+100.0 %</td>"), "\(page)")
        let name = SampleDocument.batched.name.subject
        for run in ["A", "B"] { #expect(page.contains("<th scope=\"row\">\(name), \(run)</th>"), "\(run)") }
        #expect(page.contains("<p>1 worse, 0 better, 0 inconclusive"))
    }

    /// A run of one row, which takes `time` and no longer than that.
    func run(_ kind: String, _ time: Double, noise: Double = 0) throws -> ResultDocument {
        try document(
            """
            {"context": {"noise": {"smallest_difference": \(noise)}}, "benchmarks": [{"name": "a/b/c",
             "run_type": "iteration", "\(kind)": \(time), "\(kind)_low": \(time), "\(kind)_high": \(time)}]}
            """)
    }

    @Test("two runs have a verdict on times of one kind, beyond the noise of either") func verdicts() throws {
        func verdict(_ first: ResultDocument, _ second: ResultDocument) -> Substring? {
            HTMLReport([first, second]).text.firstMatch(of: /<td(?: class="[a-z]*")?>(worse|better|inconclusive)</)?
                .output.1
        }
        #expect(try verdict(run("undisturbed", 10), run("undisturbed", 20)) == "worse")
        #expect(try verdict(run("undisturbed", 20), run("undisturbed", 10)) == "better")
        #expect(try verdict(run("undisturbed", 10), run("over_sets", 20)) == "inconclusive")
        #expect(try verdict(run("undisturbed", 10, noise: 2), run("undisturbed", 20)) == "inconclusive")
        #expect(try verdict(run("undisturbed", 10), run("undisturbed", 20, noise: 2)) == "inconclusive")
    }

    @Test("two equal times without any error are neither slower nor faster") func equalRuns() throws {
        var exact = SampleDocument.batched
        exact.undisturbed = Estimate(204, in: 204...204)
        let noise = /"smallest_difference"\s*:\s*[0-9.e-]+/
        let text = try RunFormat.json.text(SampleDocument.make([exact]))
        #expect(text.contains(noise))
        let run = try document(text.replacing(noise, with: "\"smallest_difference\": 0"))
        let page = HTMLReport([run, run]).text
        #expect(page.contains("<td>+0.00 %</td>") && page.contains("<td>inconclusive</td>"))
        #expect(!page.contains("<td class=\"worse\">") && !page.contains("<td class=\"better\">"))
    }

    @Test("the bars and slices of two runs are neighbours, and their slices share one scale") func neighbours() throws {
        func both(_ slice: Double) throws -> ResultDocument {
            var (own, peer) = (SampleDocument.batched, SampleDocument.timed)
            own.sets = [SetTimes(operations: 40, slices: Array(repeating: slice, count: 40))]
            peer.ratioInterval = 3.2...3.9
            return try run([own, peer])
        }
        let page = HTMLReport([try both(10), try both(20)]).text
        let subject = SampleDocument.timed.name.subject
        let bars = page.matches(of: /<div class="bar"><span>(.*?)<\/span>/).map { String($0.output.1) }
        #expect(bars == ["\(subject), A", "\(subject), B"])
        #expect(page.components(separatedBy: "<b>10.0 ns to 20.0 ns, 40 slices</b>").count == 3)
    }

    @Test("runs of different machines are shown without a verdict, and the page says why") func otherMachine() throws {
        var slower = SampleDocument.batched
        slower.undisturbed = Estimate(400, in: 399...401)
        let text = try RunFormat.json.text(SampleDocument.make([slower]))
        let other = text.replacing("\"kernel\": \"", with: "\"kernel\": \"other ")
        let page = HTMLReport([try run([SampleDocument.batched]), try document(other)]).text
        #expect(page.contains("differ in kernel") && !page.contains("<td class=\"worse\">"))
    }
}
