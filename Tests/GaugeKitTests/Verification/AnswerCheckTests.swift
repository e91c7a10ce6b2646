import PlantedGauge
import TestSupport
import Testing

@testable import GaugeMeasurement
@testable import GaugeKit

@Suite("Check of answers after a row") struct AnswerCheckTests {
    /// A row whose operations do nothing, checked after its end.
    private func wrongAnswers(_ row: String, _ flaw: Flaw, seconds: UInt64 = 600) throws -> [WrongAnswer] {
        let scratch = try ScratchDirectory()
        let context = RunContext(seed: 1, memoryCapacity: 1 << 20, diskCapacity: 1 << 20, directory: scratch.path)
        let benchmark = Benchmark(BenchmarkName("memory", row, "flawed")) { _ in
            PreparedBenchmark(.batched { _ in })
        }
        try Flaw.$current.withValue(flaw) {
            try benchmark.checkingAnswers(of: FlawedCache.self, nanoseconds: seconds * 1_000_000_000).prepare(context)
                .finish()
        }
        return context.answers.first
    }

    @Test("a check ends when its time is over, and a right cache is not blamed") func control() throws {
        #expect(try wrongAnswers("store/1k", .none, seconds: 0).isEmpty)
    }

    @Test(
        "a wrong answer is reported with the command that shows its steps",
        arguments: [Flaw.lowHash, .staleEighth, .losesNewestFile])
    func planted(flaw: Flaw) throws {
        let wrong = try #require(try wrongAnswers("store/1k", flaw).first)
        #expect(wrong.key == "flawed")
        #expect(wrong.history.first?.hasPrefix("the steps: verify --subject flawed --promise model-") == true)
    }

    @Test("a file without its key is reported with the promise that shows it") func names() throws {
        let wrong = try #require(try wrongAnswers("store/1k", .fileWithoutKey).first)
        #expect(wrong.history == ["the steps: verify --subject flawed --promise damaged-name"])
    }

    @Test("a row that only looks entries up is not checked") func lookups() throws {
        #expect(try wrongAnswers("hit/1k", .truncatedHash).isEmpty)
    }
}
