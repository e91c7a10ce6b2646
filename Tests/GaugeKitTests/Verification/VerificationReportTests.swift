import Testing

@testable import GaugeMeasurement
@testable import GaugeKit

@Suite("Report of a verification") struct VerificationReportTests {
    private static func promise(_ name: String) -> Promise { Promise(name, "the \(name) of it") { _ in } }

    private static let findings: [Verification.Finding] = [
        .init(promise: promise("first"), verdict: .kept, steps: ["not shown"], repetition: "nor this"),
        .init(
            promise: promise("second"), verdict: .broken(reason: "it has \"lied\""), steps: ["store a", "look b up"],
            repetition: "--seed 7 --steps 0-3,9"),
        .init(promise: promise("third"), verdict: .notApplicable(reason: "it has no disk"), steps: []),
        .init(promise: promise("fourth"), verdict: .kept, steps: []),
        .init(promise: promise("fifth"), verdict: .broken(reason: "crashed"), steps: []),
        .init(promise: promise("sixth"), verdict: .kept, steps: []),
    ]
    private static let report = VerificationReport(subject: "mine", driven: "requests", findings: findings)

    @Test("each promise has its line; a broken one its steps, its reason and the command that repeats it") func text() {
        #expect(
            Self.findings.map(Self.report.text) == [
                "kept    first                   the first of it\n",
                """
                BROKEN  second                  the second of it
                            store a
                            look b up
                            → it has "lied"
                            again: verify --subject mine --promise second --seed 7 --steps 0-3,9

                """,
                "n/a     third                   the third of it: it has no disk\n",
                "kept    fourth                  the fourth of it\n",
                "BROKEN  fifth                   the fifth of it\n            → crashed\n",
                "kept    sixth                   the sixth of it\n",
            ])
    }

    @Test("the summary counts each verdict, and names the type that drives a subject if it is another") func summary() {
        #expect(Self.report.summary == "mine (driven as requests): 3 promises kept, 2 broken, 1 not applicable\n")
        let own = VerificationReport(subject: "mine", driven: "", findings: [Self.findings[2]])
        #expect(own.summary == "mine: 0 promises kept, 0 broken, 1 not applicable\n")
    }

    @Test("a promise without a verdict in time is not called broken, and shows its last steps") func timedOut() throws {
        let promise = try #require(Promise.fixed.first { $0.name == "removed" })
        let finding = Verification.Finding(
            promise: promise, verdict: .timedOut(seconds: 0.5), steps: ["open", "a", "b", "c"])
        let report = VerificationReport(subject: "mine", driven: "", findings: [finding])
        #expect(
            report.text(finding) == """
                TIMEOUT removed                 a removal removes the entry, and nothing else
                            a
                            b
                            c
                            → no verdict in 0.5 s; if it is slow, give it more with --time-out

                """)
        #expect(report.summary == "mine: 0 promises kept, 0 broken, 1 timed out, 0 not applicable\n")
        #expect(report.broken == 0 && report.timedOut == 1)
        #expect(try report.json().contains(#""verdict" : "timed out""#))
        var sequence = finding
        sequence.repetition = "--seed 7"
        #expect(report.text(sequence).hasSuffix("again: verify --subject mine --promise removed --seed 7\n"))
    }

    @Test("JSON has the same counts, verdicts, steps and commands, each under its name") func json() throws {
        let report = VerificationReport(subject: "mine", driven: "requests", findings: Array(Self.findings.prefix(3)))
        #expect(
            try report.json() == """
                {
                  "broken" : 1,
                  "driven_as" : "requests",
                  "kept" : 1,
                  "promises" : [
                    {
                      "promise" : "first",
                      "summary" : "the first of it",
                      "verdict" : "kept"
                    },
                    {
                      "again" : "verify --subject mine --promise second --seed 7 --steps 0-3,9",
                      "promise" : "second",
                      "reason" : "it has \\"lied\\"",
                      "steps" : [
                        "store a",
                        "look b up"
                      ],
                      "summary" : "the second of it",
                      "verdict" : "broken"
                    },
                    {
                      "promise" : "third",
                      "reason" : "it has no disk",
                      "summary" : "the third of it",
                      "verdict" : "n/a"
                    }
                  ],
                  "subject" : "mine",
                  "timed_out" : 0
                }

                """)
    }
}
