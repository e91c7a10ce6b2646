import HTTPSemantics

/// Stored parts of a representation (RFC 9111, sections 3.3 and 3.4). They answer ranges inside them, and if the whole
/// is wanted, only the rest is requested.
extension CacheEngine {
    /// The parts that may answer a range request; `nil` if there are none, or if the stored response is the better
    /// answer: it is fresh, and the parts are not newer (RFC 9111, section 4).
    ///
    /// Parts beside a response are of another representation; others have renewed the response.
    ///
    /// - Parameter decision: about the stored response.
    func partsToSelect(
        for lookedUp: LookedUpRequest, _ decision: ReuseDecision, now: Int64
    ) -> ResponseStore.KnownParts? {
        guard lookedUp.facts.flags.contains(.hasRange), lookedUp.facts.isAnsweredFromStore, decision != .fresh,
            let known = responses.parts(for: lookedUp.request.request),
            options.timeToLive.map({ known.stored.isWithin($0, now: now) }) ?? true
        else { return nil }
        if decision == .select, let whole = lookedUp.stored {
            // Of the same second, the parts are the later ones: storing the response has removed those before it.
            guard known.stored.facts.generatedAt >= whole.facts.generatedAt else { return nil }
        }
        return known
    }

    /// Answers a range request from parts; `nil` if they do not cover it or must not be used unconfirmed.
    func select(from known: ResponseStore.KnownParts, _ lookedUp: LookedUpRequest, now: Int64) -> Answer? {
        let (request, facts) = (lookedUp.request, lookedUp.facts)
        let source: Answer.Source
        switch decide(lookedUp, known.stored.facts, now: now) {
        case .fresh, .select: source = known.stored.freshSource
        case .stale: source = facts.staleSource
        case .revalidate, .fetch, .gatewayTimeout, .fail: return nil
        }
        let length = Int64(known.parts.length)
        let selected = Preconditions.evaluate(
            request.request.headerFields, method: facts.method, stored: HTTPResponse(headerFields: known.fields),
            known.stored.facts, length: length)
        guard case .part(let range) = selected,
            let place = known.parts.encodedPlace(of: Int(range.lowerBound)..<Int(range.upperBound))
        else { return nil }
        var answer = serve(known.stored, facts, source, now: now)
        answer.response = HTTPResponse(
            status: 206, headerFields: StoredFields.part(answer.response.headerFields, range, of: length))
        answer.body = .part(known.stored, place)
        return answer
    }

    /// What a fetch of the whole lacks; `nil` if no stored part helps, or none may be used.
    func completion(for fetch: SharedFetch) -> Completion? {
        guard responses.mayHoldParts, fetch.key != nil, fetch.stored == nil, fetch.facts.method == .get,
            !fetch.facts.ignoresStored, fetch.facts.flags.isDisjoint(with: .selectsAnswer),
            fetch.outgoing.request.request.headerFields["Range"] == nil,
            let known = responses.parts(for: fetch.request.request),
            let validator = StrongValidator.of(known.fields, now: known.receivedAt), let missing = known.parts.missing
        else { return nil }
        return Completion(known: known, missing: missing, validator: validator)
    }
}

/// Stored parts of a whole, and which bytes are missing.
struct Completion {
    fileprivate let known: ResponseStore.KnownParts
    fileprivate let missing: Range<Int>
    fileprivate let validator: String

    /// The request for the missing bytes, or for all if the representation has changed.
    func asked(in request: OutgoingRequest) -> OutgoingRequest {
        var asked = request
        asked.request.headerFields["Range"] = "bytes=\(missing.lowerBound)-\(missing.upperBound - 1)"
        asked.request.headerFields["If-Range"] = validator
        ForwardedRequest.askForBytesAsSent(&asked.request.headerFields)
        return asked
    }

    /// The whole made from the parts and an answer with the missing bytes, as if the origin had sent it; `nil` if they
    /// do not fit.
    func whole(with incoming: IncomingResponse, responseTime: Int64) -> IncomingResponse? {
        guard incoming.response.status == 206,
            let part = PartialResponse(incoming.response, responseTime: responseTime),
            part.offset == missing.lowerBound, part.count == missing.count, part.length == known.parts.length,
            var fields = part.fields(combinedWith: known.fields, responseTime: known.receivedAt)
        else { return nil }
        fields["Content-Length"] = String(part.length)
        let (before, behind) = known.parts.bytes(around: missing)
        var whole = incoming
        whole.response = HTTPResponse(headerFields: fields)
        whole.body = CompletedBody(before, incoming.body, missing.count, behind)
        return whole
    }
}

/// Known bytes, with the missing ones between them as they arrive.
private actor CompletedBody: IncomingBody {
    private var before: [UInt8]?
    private let arriving: any IncomingBody
    /// Bytes still to arrive.
    private var missing: Int
    private var behind: [UInt8]?

    init(_ before: [UInt8], _ arriving: any IncomingBody, _ missing: Int, _ behind: [UInt8]) {
        self.before = before.isEmpty ? nil : before
        self.arriving = arriving
        self.missing = missing
        self.behind = behind.isEmpty ? nil : behind
    }

    func next() async throws -> [UInt8]? {
        if let before = before.take() { return before }
        if missing > 0 {
            guard let chunk = try await arriving.next(), chunk.count <= missing else { throw WrongPart() }
            missing -= chunk.count
            return chunk
        }
        return behind.take()
    }

    nonisolated func cancel() { arriving.cancel() }
}

/// A 206 brought fewer or more bytes than it announced.
struct WrongPart: Error, CustomStringConvertible {
    var description: String { "the part that the origin sent has not the length that it announced" }
}

/// The start of a body whose rest did not arrive.
package struct PartialBody: Sendable {
    package var byteCount: Int64
    /// The response that brought them; after a continuation, `ResumedAnswer.response`.
    package var response: HTTPResponse
    /// `Answer.receivedAt` of that response.
    package var receivedAt: Int64

    package init(byteCount: Int64, response: HTTPResponse, receivedAt: Int64) {
        self.byteCount = byteCount
        self.response = response
        self.receivedAt = receivedAt
    }
}

package struct ResumedAnswer: Sendable {
    /// Whether the body continues the bytes received before; if not, drop those.
    package var continues: Bool
    package var response: HTTPResponse
    /// The answer; its body is the rest or the whole.
    package var answer: Answer
}

extension CacheEngine {
    /// Resumes a download that broke off: with `Range` and `If-Range` if that is safe, otherwise from the start
    /// (RFC 9110, sections 13.1.5 and 14).
    ///
    /// - Parameter acceptsLess: the origin may send less than the rest (RFC 9110, section 15.3.7); then the caller asks
    ///   for what is still missing. Otherwise such a download starts over.
    package func resume(
        _ request: CacheRequest, after partial: PartialBody, acceptsLess: Bool = false
    ) async throws(EngineError) -> ResumedAnswer {
        let fields = Resumption.fields(
            received: partial.byteCount, of: partial.response, responseTime: partial.receivedAt)
        if let fields {
            var rest = request
            for field in fields { rest.request.headerFields[field.name] = field.value }
            let answer = try await respond(to: rest)
            let old = partial.response.headerFields
            switch Resumption.decide(answer.response, received: partial.byteCount, of: old) {
            case .continues where acceptsLess || Resumption.isRest(answer.response.headerFields, of: old):
                var joined = Resumption.joined(old, with: answer.response.headerFields)
                if joined["Content-Length"] == nil {
                    joined["Content-Length"] = Resumption.length(answer.response.headerFields).map { String($0) }
                }
                let whole = HTTPResponse(status: 200, headerFields: joined)
                return ResumedAnswer(continues: true, response: whole, answer: answer)
            case .startsOver, .other:
                return ResumedAnswer(continues: false, response: answer.response, answer: answer)
            case .continues, .doesNotFit: break
            }
        }
        let answer = try await respond(to: request)
        return ResumedAnswer(continues: false, response: answer.response, answer: answer)
    }
}
