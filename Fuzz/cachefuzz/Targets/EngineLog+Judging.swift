import HTTPAgreement
import HTTPCache
import HTTPReference
import HTTPSemantics

extension EngineLog {
    func judge(_ asked: Asked, _ answered: Answered) {
        let response = answered.answer.response
        if answered.answer.source == .offline, response.status == 504, answered.body == [] { return }
        guard let body = answered.body else { return }
        judgeRepresentation(asked, response, body)
        let candidates = replies(asked, response, body)
        guard !candidates.isEmpty else {
            // A part of a body names no reply, and the field with the number may be one that is not stored.
            let isPart =
                [206, 304, 416].contains(response.status) || body.isEmpty
                || response.headerFields[EngineReply.representationField] != nil
            return require(isPart, "\(asked.request) got a body that the origin never sent: \(Self.text(body))")
        }
        var broken: (reply: Replied, promise: String)?
        for reply in candidates {
            guard let promise = brokenPromise(asked, answered, reply) else { return }
            broken = broken ?? (reply, promise)
        }
        // Only now: a description takes longer than the judgement, and the runtime never frees the names in it.
        guard let (reply, promise) = broken else { return }
        fuzzFailure("\(asked.request) at \(answered.at) got \(answered.answer) from \(reply): \(promise)")
    }

    /// The replies that this may be the answer of: the one that the body names or, without a body, those that were
    /// stored with this number in the field, their own or that of a 304.
    private func replies(_ asked: Asked, _ response: HTTPResponse, _ body: [UInt8]) -> [Replied] {
        let text = Self.text(body)
        if text.hasPrefix("reply "), let number = Int(text.dropFirst(6).prefix { $0 != "." }) {
            return replies.indices.contains(number) && text.contains(".")
                ? [replies[number]] : numbered(response, asked.request.url)
        }
        return numbered(response, asked.request.url)
    }

    private func numbered(_ response: HTTPResponse, _ url: String) -> [Replied] {
        guard let number = response.headerFields.fields.last(where: { $0.name == EngineReply.numberField })?.value
        else {
            return []
        }
        return replies.filter { reply in
            reply.request.url == url
                && (reply.generations.count >= Self.mostGenerations
                    || reply.generations.contains { $0.response.headerFields[EngineReply.numberField] == number })
        }
    }

    private static func text(_ body: [UInt8]) -> String { String(decoding: body.prefix(24), as: UTF8.self) }

    // MARK: Bytes

    /// In mode `p` the bytes depend on URL and entity tag alone, and so do those that parts were combined to.
    private func judgeRepresentation(_ asked: Asked, _ response: HTTPResponse, _ body: [UInt8]) {
        guard response.headerFields[EngineReply.representationField] != nil, [200, 206].contains(response.status),
            asked.request.method == "GET"
        else { return }
        var expected = EngineReply.representation(asked.request.url, response.headerFields)
        if response.status == 206 {
            guard let part = response.headerFields["Content-Range"].flatMap({ ContentRange.parse($0) }),
                let positions = part.positions, positions.upperBound < Int64(expected.count)
            else { return }
            expected = Array(expected[Int(positions.lowerBound)...Int(positions.upperBound)])
        }
        require(body == expected, "\(asked.request) got \(body.quoted) under \(response), not \(expected.quoted)")
    }

    // MARK: Promises

    private func brokenPromise(_ asked: Asked, _ answered: Answered, _ reply: Replied) -> String? {
        guard reply.request.url == asked.request.url else { return "another URL's" }
        let source = answered.answer.source
        let isOwn = reply.step >= asked.step
        switch source {
        case .bypass: return isOwn ? nil : "an old answer"
        case .fetched:
            // One that was arriving answers as if it were stored.
            if !isOwn, (reply.endStep ?? .max) < asked.step { return "an old answer" }
            return matches(asked, reply) ? nil : "another variant's"
        case .revalidated:
            let isConfirmed = replies.contains {
                $0.request.url == asked.request.url && $0.response.status == 304 && $0.step >= asked.step
            }
            guard isConfirmed else { return "never confirmed" }
            return brokenPromise(ofStored: reply, asked, answered) { _, _ in true }
        case .memoryHit, .diskHit:
            return brokenPromise(ofStored: reply, asked, answered) { exchange, times in
                [.fresh, .select].contains(exchange.referenceReuse(times))
            }
        case .stale, .offline:
            let hasFailed = failures.contains { $0.url == asked.request.url && $0.step >= asked.step }
            return brokenPromise(ofStored: reply, asked, answered) { exchange, times in
                let decision = exchange.referenceReuse(times)
                if decision == .stale { return true }
                if decision == .staleWhileRevalidating { return source == .stale }
                return hasFailed && exchange.referenceStandIn(times)
            }
        }
    }

    private func brokenPromise(
        ofStored reply: Replied, _ asked: Asked, _ answered: Answered,
        _ isAllowed: (Exchange, Exchange.Times) -> Bool
    ) -> String? {
        guard matches(asked, reply) else { return "another variant's" }
        if hasParts(asked.request.url) { return nil }
        guard reply.request.method == "GET" else { return "an answer to \(reply.request.method)" }
        let own = Exchange(
            reply.request, policy: .useProtocolCachePolicy, reply.response, readAt: reply.received)
        let part = reply.endStep == nil ? Self.part(answered.answer.response) : nil
        // All that was announced may have come before it broke off.
        let isWhole =
            reply.endStep != nil || reply.response.headerFields["Content-Length"] == "\(reply.body.count)"
        guard own.referenceIsStorable(isComplete: isWhole || part != nil) else {
            return "it may not be stored"
        }
        // What came of a body that broke off answers ranges inside it (RFC 9111, section 3.3).
        if let part {
            let bytes = reply.body.dropFirst(Int(part.lowerBound)).prefix(part.count)
            return bytes.elementsEqual(answered.body ?? []) ? nil : "other bytes"
        }
        if reply.generations.count < Self.mostGenerations,
            let promise = brokenPromise(ofGenerations: reply, asked, answered, isAllowed)
        {
            return promise
        }
        for removal in removals where removal.url == nil || removal.url == asked.request.url {
            if removal.step > reply.sentStep && removal.step < asked.step {
                return "it was removed in step \(removal.step)"
            }
        }
        for newer in replies[(reply.number + 1)...] where newer.request.url == asked.request.url {
            guard let end = newer.endStep, let oldEnd = reply.endStep, end < asked.step,
                newer.sentStep > max(oldEnd, reply.confirmedStep)
            else {
                continue
            }
            if supersedes(newer, asked) { return "reply \(newer.number) has taken its place" }
        }
        return nil
    }

    /// Looks for fields and times of the reply under which the answer is right.
    private func brokenPromise(
        ofGenerations reply: Replied, _ asked: Asked, _ answered: Answered,
        _ isAllowed: (Exchange, Exchange.Times) -> Bool
    ) -> String? {
        // Other answers may have advanced the clock since the decision.
        let moments = [asked.at, answered.at] + moments.filter { $0.step >= asked.step }.map(\.seconds)
        var isAllowedOnce = false
        for generation in reply.generations {
            let exchange = asked.exchange(generation.response, readAt: generation.received)
            for now in moments {
                let times = Exchange.Times(request: generation.sent, response: generation.received, now: now)
                guard isAllowed(exchange, times) else { continue }
                isAllowedOnce = true
                if isServed(generation, reply.body, asked, answered, exchange, times) { return nil }
            }
        }
        return isAllowedOnce ? "other fields, another age or other bytes" : "the reference does not allow it"
    }

    /// Whether the answer is this stored response as it has to be served: with the present age and, where the request's
    /// conditions and range select the answer, as they do.
    private func isServed(
        _ generation: Generation, _ body: [UInt8], _ asked: Asked, _ answered: Answered, _ exchange: Exchange,
        _ times: Exchange.Times
    ) -> Bool {
        let isConfirmed = answered.answer.source == .revalidated
        let selects = !isConfirmed && exchange.referenceReuse(times) == .select
        let selection =
            selects
            ? Reference.Selection.decide(
                asked.request.headerFields, isGet: asked.request.method == "GET", generation.response,
                receivedAt: generation.received, length: Int64(body.count)) : .whole
        let served = ServedResponse(
            generation.response, asked.request.method == "HEAD" ? [] : body, length: Int64(body.count), selection)
        let response = answered.answer.response
        guard response.status == served.status, answered.body == served.body else { return false }
        guard isConfirmed || response.headerFields["Age"] == "\(exchange.referenceAge(times))" else { return false }
        return ServedResponse.compared(response.headerFields) == ServedResponse.compared(served.fields)
    }

    /// The positions of a 206.
    private static func part(_ response: HTTPResponse) -> ClosedRange<Int64>? {
        guard response.status == 206 else { return nil }
        return response.headerFields["Content-Range"].flatMap { ContentRange.parse($0) }?.positions
    }

    /// A stored response may be combined from parts of several replies. A body that broke off may also be a part of one
    /// that is stored, if it repeats its bytes (mode `p`).
    private func hasParts(_ url: String) -> Bool {
        replies.contains {
            $0.request.url == url
                && ($0.response.status == 206
                    || ($0.endStep == nil && $0.response.headerFields["Content-Length"] != nil))
                && ($0.request.headerFields["Range"] != nil
                    || $0.response.headerFields[EngineReply.representationField] != nil)
        }
    }

    /// Whether this newer reply rules out serving an older one for this request.
    private func supersedes(_ newer: Replied, _ asked: Asked) -> Bool {
        let status = newer.response.status
        if newer.isUnsafe { return (200...399).contains(status) }
        guard newer.request.method == "GET", newer.variesOnEverything || matches(asked, newer, isCertain: true)
        else {
            return false
        }
        switch status {
        case 206, 304: return false
        case 200...399, 404, 410: return true
        default: return false
        }
    }

    /// Whether the request agrees, in all that the reply varies by, with the one that the reply was to.
    ///
    /// - Parameter isCertain: languages agree only if written the same; otherwise any two may, since one list has
    ///   several spellings, which the tests of `VarySelection` compare.
    private func matches(_ asked: Asked, _ reply: Replied, isCertain: Bool = false) -> Bool {
        switch reply.vary {
        case nil: return true
        case .any, .invalid: return reply.askedStep == asked.step
        case .names(let names):
            return names.allSatisfy { name in
                let (one, other) = (
                    asked.request.headerFields[HTTPFields.Name(name)],
                    reply.request.headerFields[HTTPFields.Name(name)]
                )
                return (name == "accept-language" && !isCertain) || Self.squeezed(one) == Self.squeezed(other)
            }
        }
    }

    /// The value without whitespace: if more than that differs, values certainly don't match.
    private static func squeezed(_ value: String?) -> String? {
        value.map { String($0.filter { !" \t\r".contains($0) }) }
    }
}

/// What a cache makes of a stored response for a request that selects from it (RFC 9110, sections 14.4 and 15.4.5).
private struct ServedResponse {
    let status: Int
    let fields: HTTPFields
    let body: [UInt8]

    init(_ stored: HTTPResponse, _ body: [UInt8], length: Int64, _ selection: Reference.Selection) {
        var fields = stored.headerFields
        let ofBody: Set<HTTPFields.Name> = [
            "Content-Length", "Content-Encoding", "Content-Type", "Content-Range", "Content-Language",
        ]
        switch selection {
        case .whole, .forward: (status, self.body) = (stored.status, body)
        case .notModified:
            (status, self.body) = (304, [])
            fields = HTTPFields(fields.fields.filter { !ofBody.contains($0.name) })
        case .part(let part):
            (status, self.body) = (206, Array(body[Int(part.lowerBound)...Int(part.upperBound)]))
            fields["Content-Range"] = "bytes \(part.lowerBound)-\(part.upperBound)/\(length)"
            fields["Content-Length"] = "\(part.count)"
        case .notSatisfiable:
            (status, self.body) = (416, [])
            fields = HTTPFields(fields.fields.filter { !ofBody.contains($0.name) })
            fields["Content-Range"] = "bytes */\(length)"
            fields["Content-Length"] = "0"
        }
        self.fields = fields
    }

    /// The lines without `Age`, in an order of their own.
    static func compared(_ fields: HTTPFields) -> [String] {
        fields.fields.filter { $0.name != "Age" }.map { "\($0.name.rawName.lowercased()): \($0.value)" }.sorted()
    }
}
