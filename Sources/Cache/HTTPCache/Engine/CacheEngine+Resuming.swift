import HTTPSemantics

/// The beginning of a body whose rest did not arrive.
package struct PartialBody: Sendable {
    /// Bytes received.
    package var byteCount: Int64
    /// The response that brought them; after a continuation, `ResumedAnswer.response`.
    package var response: HTTPResponse
    /// When that response was received: `Answer.receivedAt`.
    package var receivedAt: Int64

    /// The first `byteCount` bytes of a response's body.
    package init(byteCount: Int64, response: HTTPResponse, receivedAt: Int64) {
        self.byteCount = byteCount
        self.response = response
        self.receivedAt = receivedAt
    }
}

/// The answer to a resumed download.
package struct ResumedAnswer: Sendable {
    /// The body continues the bytes received before; otherwise those have to be dropped.
    package var continues: Bool
    /// Status and fields of the whole representation.
    package var response: HTTPResponse
    /// The answer; its body is the rest or the whole.
    package var answer: Answer
}

extension CacheEngine {
    /// Resumes a download that broke off, with `Range` and `If-Range` where that is safe, else from the beginning
    /// (RFC 9110, sections 13.1.5 and 14).
    package func resume(_ request: CacheRequest, after partial: PartialBody) async throws(EngineError) -> ResumedAnswer
    {
        let fields = Resumption.fields(
            received: partial.byteCount, of: partial.response, responseTime: partial.receivedAt)
        if let fields {
            var rest = request
            for field in fields { rest.request.headerFields[field.name] = field.value }
            let answer = try await respond(to: rest)
            let old = partial.response.headerFields
            switch Resumption.decide(answer.response, received: partial.byteCount, of: old) {
            case .continues:
                let joined = Resumption.joined(old, with: answer.response.headerFields)
                let whole = HTTPResponse(status: 200, headerFields: joined)
                return ResumedAnswer(continues: true, response: whole, answer: answer)
            case .startsOver, .other:
                return ResumedAnswer(continues: false, response: answer.response, answer: answer)
            case .doesNotFit: break
            }
        }
        let answer = try await respond(to: request)
        return ResumedAnswer(continues: false, response: answer.response, answer: answer)
    }
}
