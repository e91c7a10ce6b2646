import HTTPAgreement
import HTTPCache
import HTTPReference
import HTTPSemantics
import VirtualOrigin

/// The log of all of the origin's replies, for checking the cache's answers.
///
/// `@unchecked Sendable`: used by the one thread that drains the executor.
final class EngineLog: @unchecked Sendable {
    /// A request of the application.
    struct Asked {
        let request: HTTPRequest
        let policy: RequestPolicy
        let at: Int64
        let step: Int

        var forbidsOrigin: Bool { exchange(HTTPResponse(), readAt: at).referenceForbidsOrigin }

        func exchange(_ response: HTTPResponse, readAt: Int64) -> Exchange {
            Exchange(request, policy: policy, response, readAt: readAt)
        }
    }

    struct Answered: Sendable {
        let answer: Answer
        /// The beginning of the body, which names the reply; `nil` if the body broke off.
        let body: String?
        let at: Int64
    }

    /// A reply that was a response.
    private struct Replied {
        let number: Int
        let request: HTTPRequest
        let response: HTTPResponse
        let sent: Int64
        let received: Int64
        /// The step in which the application made the request, or in which the fetch that it joined was first
        /// requested.
        let askedStep: Int
        /// The step in which the request was sent.
        let sentStep: Int
        /// The step in which the reply came.
        let step: Int
        /// The step in which the whole body had arrived; `nil` before that, and if it broke off or had another length
        /// than announced.
        var endStep: Int?
        /// The last step in which a 304, or the answer to a HEAD, may have confirmed it.
        var confirmedStep = 0
        /// The fields and times that it may be stored with: its own, and those after each later 304's update.
        var generations: [Generation]
        let isUnsafe: Bool

        var vary: Reference.Vary? {
            Exchange(request, policy: .useProtocolCachePolicy, response, readAt: received).referenceVary
        }

        var variesOnEverything: Bool { vary.map { !$0.isReadable } ?? false }
    }

    private struct Generation {
        let response: HTTPResponse
        let sent: Int64
        let received: Int64
    }

    /// The step under way.
    var step = 0
    private var replies: [Replied] = []
    private var sent: [(count: Int, step: Int)] = []
    private var failures: [(url: String, step: Int)] = []
    private var removals: [(url: String?, step: Int)] = []
    /// The times at which the origin answered.
    private var moments: [(seconds: Int64, step: Int)] = []

    /// The most generations of one reply. Beyond that every answer is allowed, because the log can't tell anymore which
    /// generation is stored.
    private static let mostGenerations = 32

    // MARK: The origin's side

    func reply(_ script: EngineReply, to received: VirtualOrigin.Received, clock: VirtualClock)
        -> VirtualOrigin.Reply
    {
        let request = received.request
        let at = clock.now.seconds + script.delay
        moments.append((at, step))
        guard !script.mode.contains("n") else {
            failures.append((request.url, step))
            return VirtualOrigin.Reply(nil, delay: script.delay)
        }
        let response = script.response(to: request)
        let number = replies.count
        replies.append(
            Replied(
                number: number, request: request, response: response, sent: received.time, received: at,
                askedStep: received.context as? Int ?? step, sentStep: sentStep(received.number),
                step: step,
                generations: [Generation(response: response, sent: received.time, received: at)],
                isUnsafe: MethodClass(request.method) == .unsafe))
        if StatusRules.isServerFailure(response.status) { failures.append((request.url, step)) }
        if response.status == 304 || request.method == "HEAD" {
            addGenerations(of: response, request, received.time, at)
        }
        let hasBody = request.method != "HEAD" && response.status != 304 && response.status != 204
        let body = Array("reply \(number).".utf8)
        let long =
            script.mode.contains("l")
            ? [[UInt8]](repeating: [UInt8](repeating: 0x2E, count: 8 << 10), count: 4) : []
        var reply = VirtualOrigin.Reply(
            response, chunks: hasBody ? [body] + long : [], breaksOff: script.mode.contains("b"),
            delay: script.delay)
        let count = reply.chunks.reduce(0) { $0 + $1.count }
        let announced = ResponseFieldValues(response.headerFields, now: at).contentLength.bytes
        if announced == nil || announced == Int64(count) {
            reply.onEnd = { self.replies[number].endStep = self.step }
        }
        return reply
    }

    /// Notes how many requests were sent by the end of this step.
    func noteSent(_ count: Int) { sent.append((count, step)) }

    /// Notes that an answer of this URL perhaps couldn't be shared, so that later requests wait for nobody.
    func mayBeUnshared(_ url: String) -> Bool {
        replies.contains { reply in
            reply.request.url == url
                && ([401, 407].contains(reply.response.status) || reply.variesOnEverything
                    || reply.response.headerFields["Cache-Control"]?.lowercased().contains("no-store") == true)
        }
    }

    private func sentStep(_ number: Int) -> Int { sent.first { $0.count > number }?.step ?? step }

    func invalidate(_ url: String?, step: Int) { removals.append((url, step)) }

    /// Adds a generation to every stored response of this URL, which may have been freshened.
    private func addGenerations(
        of news: HTTPResponse, _ request: HTTPRequest, _ sent: Int64, _ received: Int64
    ) {
        for index in replies.indices where replies[index].request.url == request.url {
            replies[index].confirmedStep = step
            guard replies[index].generations.count < Self.mostGenerations else { continue }
            for old in replies[index].generations {
                replies[index].generations.append(
                    Generation(
                        response: HTTPResponse(
                            status: old.response.status,
                            headerFields: Self.merged(old.response.headerFields, with: news.headerFields)),
                        sent: sent, received: received))
            }
        }
    }

    /// A second implementation of RFC 9111, section 3.2.
    private static func merged(_ old: HTTPFields, with news: HTTPFields) -> HTTPFields {
        let hop: Set<HTTPFields.Name> = [
            "Connection", "Keep-Alive", "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding",
            "Upgrade",
            "Proxy-Authenticate", "Proxy-Authentication-Info", "Proxy-Authorization",
        ]
        let body: Set<HTTPFields.Name> = [
            "Content-Length", "Content-Encoding", "Content-Range",
        ]
        let named = (news["Connection"] ?? "").split(whereSeparator: {
            $0 == "," || $0 == " " || $0 == "\t"
        })
        // Fields for all recipients never concern only one hop (RFC 9110, section 7.6.1).
        let forAll = { (name: String) in
            name.hasPrefix("content-")
                || [
                    "accept-ranges", "age", "cache-control", "date", "etag", "expires", "last-modified", "location",
                    "pragma", "vary",
                ].contains(name)
        }
        let ofHop = named.map { $0.lowercased() }.filter { !forAll($0) }
        let excluded = hop.union(body).union(ofHop.map { HTTPFields.Name($0) })
        let taken = news.fields.filter { !excluded.contains($0.name) }
        let gone = Set(taken.map(\.name)).union(["Age", "Date"])
        return HTTPFields(old.fields.filter { !gone.contains($0.name) } + taken)
    }

    // MARK: The judgement

    func judge(_ asked: Asked, _ answered: Answered) {
        let source = answered.answer.source
        if source == .offline, answered.answer.response.status == 504, answered.body == "" { return }
        guard let body = answered.body, !body.isEmpty else { return }
        if answered.answer.response.status == 206, source == .memoryHit { return judgePart(asked, body) }
        guard let number = Int(body.split(separator: " ").last?.split(separator: ".").first ?? ""),
            replies.indices.contains(number)
        else { fuzzFailure("\(asked.request) got a body that the origin never sent: \(body)") }
        let reply = replies[number]
        func check(_ condition: Bool, _ promise: String) {
            require(condition, "\(asked.request) at \(answered.at) got \(source) \(reply): \(promise)")
        }
        check(reply.request.url == asked.request.url, "another URL's")
        let isOwn = reply.step >= asked.step
        switch source {
        case .bypass: check(isOwn, "an old answer")
        case .fetched:
            check(isOwn, "an old answer")
            check(matches(asked, reply), "another variant's")
        case .revalidated:
            let confirmation = replies.contains {
                $0.request.url == asked.request.url && $0.response.status == 304 && $0.step >= asked.step
            }
            check(confirmation, "never confirmed")
            checkStored(asked, answered, reply, check) { _, _ in true }
        case .memoryHit, .diskHit:
            checkStored(asked, answered, reply, check) { exchange, times in
                [.fresh, .select].contains(exchange.referenceReuse(times))
            }
        case .stale, .offline:
            let hasFailed = failures.contains { $0.url == asked.request.url && $0.step >= asked.step }
            checkStored(asked, answered, reply, check) { exchange, times in
                let decision = exchange.referenceReuse(times)
                if decision == .stale { return true }
                if decision == .staleWhileRevalidating { return source == .stale }
                return hasFailed && exchange.referenceStandIn(times)
            }
        }
    }

    /// Checks a part of a stored response: its bytes must be those of a reply to the same URL.
    private func judgePart(_ asked: Asked, _ body: String) {
        let isKnown = replies.contains {
            $0.request.url == asked.request.url && "reply \($0.number)............................".contains(body)
        }
        require(
            asked.request.headerFields["Range"] != nil && (isKnown || hasParts(asked.request.url)),
            "\(asked.request) got a part of a body that the origin never sent: \(body)")
    }

    /// A stored response may be combined from parts of several replies.
    private func hasParts(_ url: String) -> Bool {
        replies.contains {
            $0.request.url == url
                && ($0.response.status == 206
                    || ($0.endStep == nil && $0.response.headerFields["Content-Length"] != nil))
                && $0.request.headerFields["Range"] != nil
        }
    }

    private func checkStored(
        _ asked: Asked, _ answered: Answered, _ reply: Replied, _ check: (Bool, String) -> Void,
        _ isAllowed: (Exchange, Exchange.Times) -> Bool
    ) {
        check(matches(asked, reply), "another variant's")
        if hasParts(asked.request.url) { return }
        check(reply.request.method == "GET", "an answer to \(reply.request.method)")
        let own = Exchange(
            reply.request, policy: .useProtocolCachePolicy, reply.response, readAt: reply.received)
        check(own.referenceIsStorable(isComplete: reply.endStep != nil), "it may not be stored")
        if reply.generations.count < Self.mostGenerations {
            // Other answers may have advanced the clock since the decision.
            let moments =
                [asked.at, answered.at] + moments.filter { $0.step >= asked.step }.map(\.seconds)
            let isRight = reply.generations.contains { generation in
                let exchange = asked.exchange(generation.response, readAt: generation.received)
                return moments.contains {
                    isAllowed(
                        exchange,
                        Exchange.Times(request: generation.sent, response: generation.received, now: $0))
                }
            }
            check(isRight, "the reference does not allow it")
        }
        for removal in removals where removal.url == nil || removal.url == asked.request.url {
            check(
                !(removal.step > reply.sentStep && removal.step < asked.step),
                "it was removed in step \(removal.step)")
        }
        for newer in replies[(reply.number + 1)...] where newer.request.url == asked.request.url {
            guard let end = newer.endStep, let oldEnd = reply.endStep, end < asked.step,
                newer.sentStep > max(oldEnd, reply.confirmedStep)
            else {
                continue
            }
            check(!supersedes(newer, asked), "reply \(newer.number) has taken its place")
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
