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
        /// The body, whose beginning names the reply; `nil` if it broke off.
        let body: [UInt8]?
        let at: Int64
    }

    /// A reply that was a response.
    struct Replied {
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
        let body: [UInt8]

        var vary: Reference.Vary? {
            Exchange(request, policy: .useProtocolCachePolicy, response, readAt: received).referenceVary
        }

        var variesOnEverything: Bool { vary.map { !$0.isReadable } ?? false }
    }

    struct Generation {
        let response: HTTPResponse
        let sent: Int64
        let received: Int64
    }

    /// The step under way.
    var step = 0
    private(set) var replies: [Replied] = []
    private var sent: [(count: Int, step: Int)] = []
    private(set) var failures: [(url: String, step: Int)] = []
    private(set) var removals: [(url: String?, step: Int)] = []
    /// The times at which the origin answered.
    private(set) var moments: [(seconds: Int64, step: Int)] = []

    /// The most generations of one reply. Beyond that every answer is allowed, because the log can't tell anymore which
    /// generation is stored.
    static let mostGenerations = 32

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
        let number = replies.count
        var (response, body) = script.response(to: request, number: number)
        response.headerFields.fields.append(.init(name: EngineReply.numberField, value: "\(number)"))
        let stored = HTTPResponse(
            status: response.status, headerFields: Self.dated(Self.storable(response.headerFields), at))
        replies.append(
            Replied(
                number: number, request: request, response: response, sent: received.time, received: at,
                askedStep: received.context as? Int ?? step, sentStep: sentStep(received.number),
                step: step,
                generations: [Generation(response: stored, sent: received.time, received: at)],
                isUnsafe: MethodClass(request.method) == .unsafe,
                body: [204, 304].contains(response.status) ? [] : body))
        if MethodClass(request.method) == .unsafe, 200...399 ~= response.status {
            let fields = response.headerFields.fields.map { ($0.name.rawName, $0.value) }
            for url in ReferenceModel.outdated(by: request.url, fields).dropFirst() { removals.append((url, step)) }
        }
        if StatusRules.isServerFailure(response.status) { failures.append((request.url, step)) }
        if response.status == 304 || request.method == "HEAD" {
            addGenerations(of: response, request, received.time, at)
        }
        let hasBody = request.method != "HEAD" && response.status != 304 && response.status != 204 && !body.isEmpty
        let long =
            script.mode.contains("l") && response.headerFields[EngineReply.representationField] == nil
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
            for old in replies[index].generations
            where news.status == 304 || Self.isConfirmed(old.response, byHead: news) {
                replies[index].generations.append(
                    Generation(
                        response: HTTPResponse(
                            status: old.response.status,
                            headerFields: Self.dated(
                                Self.merged(old.response.headerFields, with: news.headerFields), received)),
                        sent: sent, received: received))
            }
        }
    }

    /// Whether the answer to a HEAD may be about the stored response (RFC 9111, section 4.3.5). What only one of them
    /// has can't be compared.
    private static func isConfirmed(_ old: HTTPResponse, byHead news: HTTPResponse) -> Bool {
        (["ETag", "Last-Modified", "Content-Length"] as [HTTPFields.Name]).allSatisfy { name in
            guard let new = first(name, news.headerFields), let old = first(name, old.headerFields) else { return true }
            func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
            return name == "ETag" ? opaque(new) == opaque(old) : new == old
        }
    }

    /// The value of the first line; `nil` if it is empty.
    private static func first(_ name: HTTPFields.Name, _ fields: HTTPFields) -> String? {
        fields.fields.first { $0.name == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
    }

    /// A second implementation of RFC 9111, section 3.2.
    private static func merged(_ old: HTTPFields, with news: HTTPFields) -> HTTPFields {
        var kept: Set<HTTPFields.Name> = ["Content-Length", "Content-Encoding", "Content-Range"]
        let units = (old["Accept-Ranges"] ?? "").lowercased().split { ", \t".contains($0) }
        if units.contains("none") { kept.insert("Accept-Ranges") }
        var taken = storable(news).fields.filter { !kept.contains($0.name) }
        // A 304 with the weak tag's text may have made it strong, but what is stored is no less weak for that.
        if let tag = first("ETag", old), tag.hasPrefix("W/") {
            taken = taken.filter { $0.name != "ETag" } + [.init(name: "ETag", value: tag)]
        }
        let gone = Set(taken.map(\.name)).union(["Age", "Date"])
        return HTTPFields(old.fields.filter { !gone.contains($0.name) } + taken)
    }

    /// A second implementation of RFC 9110, section 6.6.1.
    private static func dated(_ fields: HTTPFields, _ received: Int64) -> HTTPFields {
        guard fields["Date"] == nil, let date = Reference.HTTPDate.format(received) else { return fields }
        return HTTPFields(fields.fields + [.init(name: "Date", value: String(decoding: date, as: UTF8.self))])
    }

    /// A second implementation of RFC 9111, section 3.1.
    static func storable(_ fields: HTTPFields) -> HTTPFields {
        let hop: Set<HTTPFields.Name> = [
            "Connection", "Keep-Alive", "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding",
            "Upgrade",
            "Proxy-Authenticate", "Proxy-Authentication-Info", "Proxy-Authorization",
        ]
        let named = (fields["Connection"] ?? "").split(whereSeparator: {
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
        let excluded = hop.union(ofHop.map { HTTPFields.Name($0) })
        return HTTPFields(fields.fields.filter { !excluded.contains($0.name) })
    }
}
