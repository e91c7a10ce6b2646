import Testing

@testable import GaugeVerdicts

@Suite("Annotations of the gate on time")
struct TimeAnnotationTests {
    private func annotations(_ verdicts: [TimeJudgement.Verdict]) throws -> [String] {
        try TimeDecision(rows: verdicts.map { try TimeRow(verdict: $0) }, delta: 0.01).annotations
    }

    @Test("an error for each benchmark that regressed, and one warning for all without a verdict")
    func kinds() throws {
        let told = try annotations([.improved, .regressed, .inconclusive, .equivalent, .inconclusive, .regressed])
        let error = "::error title=a/regressed/c takes longer::time +5.1 %25 (+5.1 %25 to +5.1 %25)"
        let reason = "a/inconclusive/c: it is not measured"
        #expect(told == [error, error, "::warning title=2 times are not judged::\(reason)%0A\(reason)"])
    }

    @Test("a time that is judged and did not regress is not annotated")
    func silent() throws { #expect(try annotations([.improved, .equivalent]) == []) }

    @Test("there are no more errors than GitHub shows")
    func most() throws {
        let told = try annotations(Array(repeating: .regressed, count: GitHubActions.mostAnnotations + 1))
        #expect(told.count == GitHubActions.mostAnnotations)
    }
}
