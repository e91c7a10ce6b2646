import CurlTransport
import HTTPCache
import HTTPSemantics

/// One request as the application sees it: redirections followed, challenges met.
extension CachingSession {
    struct Loaded {
        var response: HTTPURLResponse
        var body: AnswerBody
        var source: Answer.Source
        /// Status and fields of the whole response, if the body continues a download.
        var whole: HTTPResponse?
        /// Whether the configuration's recorder has it already, or there is no recorder.
        var isRecorded = true
    }

    /// As URLSession on Apple systems and on Linux.
    static let mostRedirections = 20

    /// Answers a request.
    ///
    /// - Parameters:
    ///   - delegate: the task's own, or else the session's.
    ///   - forced: in the place of the request's own policy.
    ///   - readsWhole: see `CacheRequest.readsWhole`.
    ///   - download: the beginning of the body, which the answer continues where that is safe.
    ///   - upload: makes the body, in the place of the request's own.
    ///   - secondsRunning: of a task, see `OutgoingRequest.secondsRunning`.
    ///   - onTransaction: told of every exchange with an origin.
    ///   - onRequest: told about every request that follows from a redirection.
    nonisolated(nonsending) func load(
        _ request: URLRequest, _ delegate: (any CachingSessionDelegate)?, policy forced: RequestPolicy? = nil,
        readsWhole: Bool = false, continuing download: BrokenDownload? = nil,
        upload: UploadBody.Making? = nil, secondsRunning: (@Sendable () -> Double)? = nil,
        onTransaction: TransactionHandler? = nil, onRequest: (URLRequest) -> Void = { _ in }
    ) async throws -> Loaded {
        try requireOwnProcess(request)
        let limit = TimeLimit(seconds: resourceTimeout, from: clock.uptime)
        // Only once: fields meant for one origin must not follow to another.
        var request = withAdditionalFields(request)
        var redirections = 0
        var challenges = Challenges(self, delegate)
        var forced = forced
        var visits = Visits()
        let method = request.method
        // A stream has been read then.
        var isSentAgain = false
        while true {
            var (url, asked) = try cacheRequest(request, delegate, forced, onTransaction)
            if visits.isBack { asked.policy = asked.policy.passingStoredRedirections }
            (asked.readsWhole, asked.limit, asked.secondsRunning) = (readsWhole, limit, secondsRunning)
            // A redirection may have turned it into a GET.
            if let upload, request.method == method {
                asked.body = try await upload(request)
            } else if isSentAgain, request.httpBodyStream != nil, let events = delegate as? TaskEvents,
                let body = await events.needsBodyStream()
            {
                asked.body = .stream(body, length: request.statedBodyLength)
            }
            isSentAgain = true
            let (answer, whole) = try await respond(to: asked, continuing: download)
            if answer.source == .stale { delegate?.events?.didBeginRefresh() }
            let status = answer.response.status
            if var target = Redirection.request(after: answer.response, to: request) {
                redirections += 1
                guard redirections <= Self.mostRedirections else {
                    throw URLError(.httpTooManyRedirects, request, "more than \(Self.mostRedirections) redirections")
                }
                challenges.redirected(to: &target)
                var loaded = try loaded(answer, url, request)
                var next: URLRequest? = target
                if let delegate {
                    next = await delegate.session(self, willPerformHTTPRedirection: loaded.response, newRequest: target)
                }
                guard let next else {
                    loaded.isRecorded = isRecorded(loaded, request)
                    return loaded
                }
                try Redirection.check(next, after: request)
                await finish(answer.body)
                visits.follow(from: request, to: next)
                request = next
                onRequest(request)
            } else if Self.knowsNoCredentials(answer), request.value(forHTTPHeaderField: "Authorization") != nil,
                asked.policy != .returnCacheDataDontLoad, asked.policy != .reloadIgnoringLocalCacheData
            {
                forced = .reloadIgnoringLocalCacheData
            } else if status == 401, let next = try await challenges.request(after: answer.response, to: request, url) {
                await finish(answer.body)
                request = next
            } else {
                if status != 401 { challenges.succeeded() }
                var loaded = try loaded(answer, url, request)
                loaded.whole = whole
                loaded.isRecorded = isRecorded(loaded, request)
                return loaded
            }
        }
    }

    /// The engine's answer, plus the whole response if its body continues the download.
    private nonisolated(nonsending) func respond(
        to asked: CacheRequest, continuing download: BrokenDownload?
    ) async throws -> (Answer, whole: HTTPResponse?) {
        guard let download, download.isOf(asked.request.url) else { return (try await engine.respond(to: asked), nil) }
        let resumed = try await engine.resume(asked, after: download.partial, acceptsLess: download.acceptsLess)
        return (resumed.answer, resumed.continues ? resumed.response : nil)
    }

    /// A stored 401 says nothing about credentials that were not sent for it, even if the origin made it fresh.
    private static func knowsNoCredentials(_ answer: Answer) -> Bool {
        guard answer.response.status == 401 else { return false }
        switch answer.source {
        case .memoryHit, .diskHit, .stale: return true
        case .revalidated, .fetched, .offline, .bypass: return false
        }
    }

    func cacheRequest(
        _ request: URLRequest, _ delegate: (any CachingSessionDelegate)?, _ forced: RequestPolicy? = nil,
        _ onTransaction: TransactionHandler? = nil
    ) throws -> (URL, CacheRequest) {
        guard let url = request.url else { throw URLError(.badURL, request, "the request has no URL") }
        // Joins in a base URL, so the URL is absolute when it is sent and stored.
        let scheme = url.scheme?.lowercased()
        guard scheme == "http" || scheme == "https" else {
            throw URLError(
                .unsupportedURL, request, "\(url) is neither http nor https; use URLSession for other schemes")
        }
        // RFC 9110, section 4.2.1. libcurl would take the start of the path for the host.
        guard let host = url.host, !host.isEmpty else {
            throw URLError(.badURL, request, "\(url) names no host")
        }
        let sent = cookies.applied(to: request)
        return (
            url,
            CacheRequest(
                HTTPRequest(sent), policy: forced ?? policy(of: request), body: RequestBody(request),
                timeout: timeout(of: request),
                context: RequestContext(
                    request: sent, session: self, delegate: delegate, onTransaction: onTransaction))
        )
    }

    /// The request with the configuration's additional fields, except those it already has.
    func withAdditionalFields(_ request: URLRequest) -> URLRequest {
        guard !additionalFields.isEmpty else { return request }
        var request = request
        for (name, value) in additionalFields where request.value(forHTTPHeaderField: name) == nil {
            request.setValue(value, forHTTPHeaderField: name)
        }
        return request
    }

    /// After how many seconds without progress a request fails: its own time-out, if it is above 0 and not the default
    /// of 60 s, which a request also has if it was never given one. Otherwise the configuration's.
    private func timeout(of request: URLRequest) -> Double {
        let own = request.timeoutInterval
        return own != 60 && own > 0 ? own : requestTimeout
    }

    private func loaded(_ answer: Answer, _ url: URL, _ request: URLRequest) throws -> Loaded {
        var answer = answer
        if let name = configuration.cacheStatusName {
            var member = answer.cacheStatus.member(cacheName: name)
            // `fwd` already tells the other two.
            if let reason = answer.notStored, reason != .method, reason != .url { member += "; detail=\(reason.word)" }
            let others = answer.response.headerFields["Cache-Status"]
            answer.response.headerFields["Cache-Status"] = others.map { "\($0), \(member)" } ?? member
        } else if case .stored(let stored) = answer.body, answer.source != .revalidated,
            let age = answer.response.headerFields["Age"].flatMap({ Int64($0) }),
            let (_, response) = DecodedEntry.of(stored.entry, in: cache?.decoded).answer(
                of: stored, age: age, url: url, text: url.absoluteString)
        {
            return Loaded(response: response, body: answer.body, source: answer.source)
        }
        guard let response = HTTPURLResponse(answer.response, url: url) else {
            throw URLError(.badServerResponse, request, "\(answer.response.status) is not an HTTP status code")
        }
        return Loaded(response: response, body: answer.body, source: answer.source)
    }

    /// Reads a body to its end so that it may be stored, and its connection used again. Gives up if it is long, or does
    /// not come soon: the next request waits for it.
    private nonisolated(nonsending) func finish(_ body: AnswerBody) async {
        guard case .stream(let stream) = body else { return }
        let limit = TimeLimit(seconds: 2, from: clock.uptime)
        var left = 64 << 10
        while left > 0, let chunk = try? await stream.next(by: limit) { left -= chunk.count }
    }
}

extension RequestPolicy {
    /// By name: the raw values differ between platforms. A case that Foundation may add is the default.
    init(_ policy: URLRequest.CachePolicy) {
        switch policy {
        case .useProtocolCachePolicy: self = .useProtocolCachePolicy
        case .reloadIgnoringLocalCacheData: self = .reloadIgnoringLocalCacheData
        case .reloadIgnoringLocalAndRemoteCacheData: self = .reloadIgnoringLocalAndRemoteCacheData
        case .returnCacheDataElseLoad: self = .returnCacheDataElseLoad
        case .returnCacheDataDontLoad: self = .returnCacheDataDontLoad
        case .reloadRevalidatingCacheData: self = .reloadRevalidatingCacheData
        @unknown default: self = .useProtocolCachePolicy
        }
    }
}

extension CachingSession {
    func policy(of request: URLRequest) -> RequestPolicy {
        let own = RequestPolicy(request.cachePolicy)
        let policy = own == .useProtocolCachePolicy ? RequestPolicy(configuration.requestCachePolicy) : own
        guard cache == nil else { return policy }
        // Without a cache there is no reason to wait for another request's fetch.
        switch policy {
        case .returnCacheDataDontLoad, .reloadIgnoringLocalAndRemoteCacheData: return policy
        default: return .reloadIgnoringLocalCacheData
        }
    }
}

extension CachingSession {
    /// Records an answer whose length is known from its header or its source.
    ///
    /// - Returns: whether it was recorded; if not, its length is known once the body has been read.
    func isRecorded(_ loaded: Loaded, _ request: URLRequest) -> Bool {
        guard let recorder = configuration.recorder else { return true }
        guard let size = Self.knownSize(of: loaded) else { return false }
        recorder.note(loaded, request, size: size, at: clock.now)
        return true
    }

    /// Records an answer that was not recorded at its start.
    func recordUnsized(_ loaded: Loaded, _ request: URLRequest, size: Int?) {
        guard !loaded.isRecorded else { return }
        configuration.recorder?.note(loaded, request, size: size, at: clock.now)
    }

    private static func knownSize(of loaded: Loaded) -> Int? {
        switch loaded.body {
        case .empty: return 0
        case .stored(let stored): return stored.entry.bodyCount
        case .part(_, let range): return range.count
        case .stream:
            guard loaded.response.value(forHTTPHeaderField: "Content-Encoding") == nil,
                loaded.response.expectedContentLength >= 0
            else { return nil }
            return Int(loaded.response.expectedContentLength)
        }
    }
}

extension RequestRecorder {
    fileprivate func note(_ loaded: CachingSession.Loaded, _ request: URLRequest, size: Int?, at time: CacheTime) {
        let response = HTTPResponse(loaded.response)
        let request = HTTPRequest(request)
        note(
            request.url,
            RecordedAnswer(
                method: request.method, status: response.status, size: size, requestFields: request.headerFields,
                responseFields: response.headerFields), at: time)
    }
}
