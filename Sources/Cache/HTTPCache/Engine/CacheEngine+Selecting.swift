import HTTPSemantics

extension CacheEngine {
    /// Answers a request's own condition or range from a fresh stored response; `nil` if the origin has to.
    func select(_ stored: StoredResponse, _ lookedUp: LookedUpRequest, now: Int64) -> Answer? {
        let facts = lookedUp.facts
        let length = stored.withBody { $0.count }
        var answer = serve(stored, facts, stored.freshSource, now: now)
        let fields = answer.response.headerFields
        let selected = Preconditions.evaluate(
            lookedUp.request.request.headerFields, method: facts.method, stored: answer.response, stored.facts,
            length: Int64(length))
        switch selected {
        case .whole: break
        case .forward: return facts.flags.contains(.onlyIfCached) ? answer : nil
        case .notModified:
            answer.response = HTTPResponse(status: 304, headerFields: StoredFields.notModified(fields))
            answer.body = .empty
        case .part(let range):
            answer.response = HTTPResponse(
                status: 206, headerFields: StoredFields.part(fields, range, of: Int64(length)))
            answer.body = .part(stored, Int(range.lowerBound)..<Int(range.upperBound))
        case .notSatisfiable:
            answer.response = HTTPResponse(
                status: 416, headerFields: StoredFields.notSatisfiable(fields, length: Int64(length)))
            answer.body = .empty
        }
        return answer
    }
}
