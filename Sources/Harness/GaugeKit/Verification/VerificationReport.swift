import Foundation

package struct VerificationReport {
    package let subject: String
    package let driven: String
    package var findings: [Verification.Finding]

    package func count(where isMeant: (PromiseVerdict) -> Bool) -> Int { findings.filter { isMeant($0.verdict) }.count }

    package var kept: Int { count { $0 == .kept } }
    package var broken: Int { count { if case .broken = $0 { true } else { false } } }

    package var timedOut: Int { count { if case .timedOut = $0 { true } else { false } } }

    /// A promise's line, and the steps if it is broken.
    package func text(_ finding: Verification.Finding) -> String {
        let name = finding.promise.name.padded(to: 24)
        let again = finding.repetition.map { "            again: \(command(finding.promise, $0))\n" } ?? ""
        switch finding.verdict {
        case .kept: return "kept    \(name)\(finding.promise.summary)\n"
        case .notApplicable(let reason): return "n/a     \(name)\(finding.promise.summary): \(reason)\n"
        case .timedOut(let seconds):
            let last = finding.steps.suffix(3).map { "            \($0)\n" }.joined()
            return "TIMEOUT \(name)\(finding.promise.summary)\n\(last)            → no verdict in "
                + "\(JSONFields.text(seconds)) s; if it is slow, give it more with --time-out\n\(again)"
        case .broken(let reason):
            let steps = finding.steps.map { "            \($0)\n" }.joined()
            return "BROKEN  \(name)\(finding.promise.summary)\n\(steps)            → \(reason)\n\(again)"
        }
    }

    private func command(_ promise: Promise, _ options: String) -> String {
        "verify --subject \(subject) --promise \(promise.name) \(options)"
    }

    package var summary: String {
        let others = findings.count - kept - broken - timedOut
        return "\(subject)\(driven.isEmpty ? "" : " (driven as \(driven))"): \(kept) promises kept, \(broken) broken, "
            + (timedOut > 0 ? "\(timedOut) timed out, " : "") + "\(others) not applicable\n" + openings
    }

    /// What the subject doesn't declare, with the number of promises that need it.
    private var openings: String {
        let counts = findings.flatMap(\.lacking).grouped(by: \.self).map { (name: $0.key, count: $0.elements.count) }
        guard !counts.isEmpty else { return "" }
        let sorted = counts.sorted { ($0.count, $1.name) > ($1.count, $0.name) }
        return "not applicable for lack of a declaration: "
            + sorted.map { "\($0.name) (\($0.count))" }.joined(separator: ", ") + "\n"
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
            case .timedOut(let seconds):
                object["verdict"] = .text("timed out")
                object["seconds"] = .number(seconds)
                object["steps"] = .list(finding.steps.suffix(3).map(JSONValue.text))
            case .broken(let reason):
                object["verdict"] = .text("broken")
                object["reason"] = .text(reason)
                object["steps"] = .list(finding.steps.map(JSONValue.text))
            }
            if finding.verdict != .kept, let options = finding.repetition {
                object["again"] = .text(command(finding.promise, options))
            }
            return JSONValue.object(object)
        }
        return try JSONValue.object([
            "subject": .text(subject), "driven_as": .text(driven), "kept": .whole(kept), "broken": .whole(broken),
            "timed_out": .whole(timedOut), "promises": .list(list),
        ]).document()
    }
}
