import HTTPCache
import HTTPSemantics

extension CachingSession {
    /// Answers a request with the whole body, like `URLSession.data(for:delegate:)`.
    ///
    /// A fresh hit is answered on the caller's actor, without a change of threads, and copies no body: the returned
    /// `Data` retains the entry.
    ///
    /// A GET with a body goes to the origin, and its answer is not stored. However, if a request has no header fields,
    /// its body is not looked for, and a fresh response stored for the URL answers it.
    ///
    /// - Throws: `URLError`; `resourceUnavailable` if nothing is stored and `returnCacheDataDontLoad` forbids loading.
    ///   A status of 4xx or 5xx is not an error.
    public nonisolated(nonsending) func data(
        for request: URLRequest, delegate: (any CachingSessionDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        if let hit = freshHit(request) { return (hit.data, hit.response) }
        let answer = try await loadedWhole(request, delegate)
        return (answer.data, answer.response)
    }

    private func loadedWhole(
        _ request: URLRequest, _ delegate: (any CachingSessionDelegate)?
    ) async throws -> SessionAnswer {
        try await whole(request) {
            try await self.load(request, self.asked(delegate, request), readsWhole: true)
        }
    }

    /// Answers a GET of a URL, as `URLSession.data(from:delegate:)`.
    public nonisolated(nonsending) func data(
        from url: URL, delegate: (any CachingSessionDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        try await data(for: URLRequest(url: url), delegate: delegate)
    }

    /// The same, with the source of the answer and the times of its steps.
    public func answer(
        for request: URLRequest, delegate: (any CachingSessionDelegate)? = nil
    ) async throws -> SessionAnswer {
        let times = AwaitedTimes()
        var answer = try await whole(request) {
            let loaded = try await self.load(
                request, self.asked(delegate, request), readsWhole: true, onTransaction: { times.didEnd($0) },
                onRequest: { _ in times.didRedirect() })
            times.didReceive(loaded.source)
            return loaded
        }
        answer.times = times.ended()
        return answer
    }

    /// Answers a request like `data(for:)`, with a delegate of URLSession's kind for this request.
    @_disfavoredOverload
    public func data(
        for request: URLRequest, delegate: (any URLSessionTaskDelegate)?
    ) async throws -> (Data, URLResponse) {
        let answer = try await whole(request) {
            try await self.load(request, self.asked(nil, request, delegate), readsWhole: true)
        }
        return (answer.data, answer.response)
    }

    /// Answers a GET of a URL, with a delegate of URLSession's kind for this request.
    @_disfavoredOverload
    public func data(from url: URL, delegate: (any URLSessionTaskDelegate)?) async throws -> (Data, URLResponse) {
        try await data(for: URLRequest(url: url), delegate: delegate)
    }

    /// Who is asked about a request and told about it: its own delegate, the session's, or URLSession's delegates.
    func asked(
        _ own: (any CachingSessionDelegate)?, _ request: URLRequest, _ ofTask: (any URLSessionTaskDelegate)? = nil
    ) -> (any CachingSessionDelegate)? {
        if ofTask == nil, let delegate = own ?? delegate { return delegate }
        guard ofTask != nil || foundation.hasDelegate else { return nil }
        // URLSession's delegates are told about tasks.
        let task = CachingTask(standingFor: request, self)
        task.delegate = ofTask
        return TaskEvents(self, task, task.core)
    }

    nonisolated(nonsending) func whole(_ request: URLRequest, _ load: nonisolated(nonsending) () async throws -> Loaded)
        async throws -> SessionAnswer
    {
        do {
            try requireValid(request)
            return try await counted {
                let loaded = try await load()
                let data = try await loaded.body.data(in: cache?.decoded)
                recordUnsized(loaded, request, size: data.count)
                return SessionAnswer(data: data, response: loaded.response, source: loaded.source)
            }
        } catch {
            throw URLError(error, request)
        }
    }

    /// The stored response, if that is the answer without further checks.
    private func freshHit(_ request: URLRequest) -> (data: Data, response: HTTPURLResponse)? {
        guard answersFreshHits, !foundation.isInvalidated, let url = request.url else { return nil }
        let facts = requestFacts(request)
        guard facts.method == .get, !facts.ignoresStored else { return nil }
        var text = url.absoluteString
        let time = clock.now
        let now = time.seconds
        let found = text.withUTF8 { bytes in
            engine.freshHit(url: UnsafeRawBufferPointer(bytes), facts: facts, now: now, request: storeRequest(request))
        }
        // Stored redirections and challenges are not the final answer.
        guard let stored = found, stored.status == 200,
            let (data, response) = DecodedEntry.of(stored.entry, in: cache?.decoded).answer(
                of: stored, age: stored.facts.currentAge(at: now), url: url, text: text)
        else { return nil }
        if let recorder = configuration.recorder,
            !recorder.noteHit(text, status: stored.status, size: stored.entry.bodyCount, at: time)
        {
            recorder.note(text, RecordedAnswer(stored), at: time)
        }
        return (data, response)
    }

    private func storeRequest(_ request: URLRequest) -> CacheRequest {
        let sent = cookies.applied(to: request)
        return CacheRequest(HTTPRequest(sent), context: RequestContext(request: sent, session: self, delegate: nil))
    }

    private func requestFacts(_ request: URLRequest) -> RequestFacts {
        let policy = policy(of: request)
        guard request.allHTTPHeaderFields?.isEmpty ?? true else {
            var facts = RequestFacts(HTTPRequest(request), policy: policy)
            // See `CacheEngine.respond(to:)`. A request with a body nearly always has fields; without any, we don't
            // look for a body. With `Host`, the key may be another than the URL's.
            if facts.method == .get, request.namesHost || request.httpBody != nil || request.httpBodyStream != nil {
                facts.method = .otherSafe
            }
            return facts
        }
        return RequestFacts(method: MethodClass(request.httpMethod ?? "GET"), policy: policy)
    }
}

/// A complete answer.
public struct SessionAnswer: Sendable {
    /// The body.
    public let data: Data
    /// The status and the header fields.
    public let response: HTTPURLResponse
    /// Where the answer came from.
    public let source: Answer.Source
    /// When the steps happened.
    public internal(set) var times = TaskTimes()
}

extension AnswerBody {
    /// All of it; a whole body is not copied unless it is small.
    nonisolated(nonsending) func data(in memory: DecodedMemory?) async throws -> Data {
        switch self {
        case .empty: return Data()
        case .stored(let stored): return stored.data(in: memory)
        case .part(let stored, let range): return stored.data(range)
        case .stream(let stream): return try await stream.rest().map { stream.data($0) } ?? Data()
        }
    }
}
