import HTTPReference
import HTTPSemantics

extension Agreement {
    /// Both evaluations of a request's own conditions and range against a fresh stored response. Valid is one in which a
    /// condition or a range counts.
    package static func preconditions(
        _ request: HTTPFields, method: String, _ stored: HTTPResponse, receivedAt: Int64, length: Int64
    ) -> Agreement {
        let facts = StoredFacts(stored, requestTime: receivedAt, responseTime: receivedAt)
        let fast = Preconditions.evaluate(
            request, method: MethodClass(method), stored: stored, facts, length: length)
        let reference = Reference.Selection.decide(
            Reference.FieldBlock(request), isGet: method == "GET", status: stored.status,
            Reference.FieldBlock(stored.headerFields), receivedAt: receivedAt, length: length)
        let name: String? =
            switch reference {
            case .whole: nil
            case .notModified: "304"
            case .part: "206"
            case .notSatisfiable: "416"
            case .forward: "forward"
            }
        return comparing(fast: Reference.Selection(fast), reference: reference, valid: name, invalid: "whole")
    }
}

extension Reference.Selection {
    fileprivate init(_ fast: Preconditions.Answer) {
        self =
            switch fast {
            case .whole: .whole
            case .notModified: .notModified
            case .part(let range): .part(range.lowerBound...range.upperBound - 1)
            case .notSatisfiable: .notSatisfiable
            case .forward: .forward
            }
    }
}
