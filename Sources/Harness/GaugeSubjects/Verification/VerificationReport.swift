import Foundation
import GaugeMeasurement
import GaugeSupport

/// The report of a verification.
package struct VerificationReport {
    package let subject: String
    package let driven: String
    package var findings: [Verification.Finding]

    package init(subject: String, driven: String, findings: [Verification.Finding]) {
        self.subject = subject
        self.driven = driven
        self.findings = findings
    }

    package func count(where isMeant: (PromiseVerdict) -> Bool) -> Int { findings.filter { isMeant($0.verdict) }.count }

    package var kept: Int { count { $0 == .kept } }
    package var broken: Int {
        count { if case .broken = $0 { true } else { false } }
    }

    /// The line of a promise, and the steps if it is broken.
    package func text(_ finding: Verification.Finding) -> String {
        let name = finding.promise.name.padded(to: 24)
        switch finding.verdict {
        case .kept: return "kept    \(name)\(finding.promise.summary)\n"
        case .notApplicable(let reason): return "n/a     \(name)\(finding.promise.summary): \(reason)\n"
        case .broken(let reason):
            let steps = finding.steps.map { "            \($0)\n" }.joined()
            let again = finding.repetition.map { "            again: \(command(finding.promise, $0))\n" } ?? ""
            return "BROKEN  \(name)\(finding.promise.summary)\n\(steps)            → \(reason)\n\(again)"
        }
    }

    /// The command that repeats a fault.
    private func command(_ promise: Promise, _ options: String) -> String {
        "verify --subject \(subject) --promise \(promise.name) \(options)"
    }

    package var summary: String {
        let others = findings.count - kept - broken
        return "\(subject)\(driven.isEmpty ? "" : " (driven as \(driven))"): \(kept) promises kept, \(broken) broken, "
            + "\(others) not applicable\n"
    }

    package func json() throws -> String {
        let list = findings.map { finding in
            var object: [String: JSONValue] = [
                "promise": .text(finding.promise.name), "summary": .text(finding.promise.summary),
            ]
            switch finding.verdict {
            case .kept: object["verdict"] = .text("kept")
            case .notApplicable(let reason):
                object["verdict"] = .text("n/a")
                object["reason"] = .text(reason)
            case .broken(let reason):
                object["verdict"] = .text("broken")
                object["reason"] = .text(reason)
                object["steps"] = .list(finding.steps.map(JSONValue.text))
                if let options = finding.repetition { object["again"] = .text(command(finding.promise, options)) }
            }
            return JSONValue.object(object)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let document = JSONValue.object([
            "subject": .text(subject), "driven_as": .text(driven), "kept": .whole(kept), "broken": .whole(broken),
            "promises": .list(list),
        ])
        return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
    }
}
