import Testing

@testable import GaugeMeasurement

@Suite("Annotations of the gate on time") struct TimeAnnotationTests {
    private func annotations(_ verdicts: [Verdict]) throws -> [String] {
        try TimeDecision(rows: verdicts.map { try ExperimentRow(verdict: $0) }, delta: 0.01).annotations
    }

    @Test("an error for each benchmark that regressed, and one warning for all without a verdict") func kinds() throws {
        let told = try annotations([.better, .worse, .inconclusive, .equivalent, .inconclusive, .worse])
        let error = "::error title=a/worse/c takes longer::time +5.1 %25 (+5.1 %25 to +5.1 %25)"
        let reason = "a/inconclusive/c: it is not measured"
        #expect(told == [error, error, "::warning title=2 times are not judged::\(reason)%0A\(reason)"])
    }

    @Test("a time that is judged and did not regress is not annotated")
    func silent() throws { #expect(try annotations([.better, .equivalent]) == []) }

    @Test("there are no more errors than GitHub shows") func most() throws {
        let told = try annotations(Array(repeating: .worse, count: GitHubActions.mostAnnotations + 1))
        #expect(told.count == GitHubActions.mostAnnotations)
    }
}
