import HTTPCache

extension CachingSession {
    /// A task that passes its answer to `completionHandler`, like `URLSession.dataTask(with:completionHandler:)`. Call
    /// `resume()` to begin it.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - completionHandler: called once, with data and response or with a `URLError`: on the delegate queue if the
    ///     session was made with a `URLSessionConfiguration`, otherwise on any thread.
    public func dataTask(with request: URLRequest, completionHandler: @escaping DataHandler) -> CachingTask {
        CachingTask(self, request) { [self] task in
            await collect(task, task.core, UploadBody(of: request), completionHandler)
        }
    }

    /// The same for a GET of a URL.
    public func dataTask(with url: URL, completionHandler: @escaping DataHandler) -> CachingTask {
        dataTask(with: URLRequest(url: url), completionHandler: completionHandler)
    }

    /// A task that tells a delegate about its progress, like `URLSession.dataTask(with:)`. Call `resume()` to begin it.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - delegate: replaces the session's delegate; `nil` keeps it.
    public func dataTask(with request: URLRequest, delegate: (any CachingSessionDelegate)? = nil) -> CachingTask {
        let delegate = delegate ?? self.delegate
        return CachingTask(self, request) { [self] task in
            let upload = UploadBody(of: request)
            guard let delegate else { return await report(task, task.core, upload) }
            let error = await perform(task.core, delegate, upload: upload) { response in
                await delegate.session(self, task: task, didReceive: response)
            } onData: { data in
                await delegate.session(self, task: task, didReceive: data)
            }
            await delegate.session(self, task: task, didCompleteWithError: error)
            task.core.end()
        }
    }

    /// The same for a GET of a URL.
    public func dataTask(with url: URL) -> CachingTask { dataTask(with: URLRequest(url: url)) }

    // MARK: The work of a task

    func collect(
        _ task: URLSessionDataTask, _ core: TaskCore, _ upload: UploadBody?, _ handler: @escaping DataHandler
    ) async {
        var body = Data()
        let delegate = delegate ?? events(task, core)
        let error = await perform(core, delegate, upload: upload) { data in
            if body.isEmpty { body = data } else { body.append(data) }
        }
        let response: URLResponse? = core.withValues { $0.response }
        await foundation.call { [body] in
            // URLSession passes no response along with an error.
            handler(error == nil ? body : nil, error == nil || !self.foundation.usesQueue ? response : nil, error)
        }
        core.end()
    }

    func report(_ task: URLSessionDataTask, _ core: TaskCore, _ upload: UploadBody?) async {
        let events = TaskEvents(self, task, core, passesBodyOn: true)
        var download: CachingDownloadTask?
        var file: DownloadFile?
        let error = await perform(core, events, upload: upload, completes: false) { response in
            switch await events.didReceive(response) {
            case .allow: break
            case .cancel: throw CancellationError()
            case .becomeDownload:
                let task = CachingDownloadTask(self, core.originalRequest) { _ in }
                task.core.takeOver(core)
                file = try DownloadFile()
                download = task
                await events.didBecome(task)
            @unknown default: break
            }
        } onData: { data in
            guard let download, let file else { return await events.didReceive(data) }
            download.core.didReceive(byteCount: data.count)
            try await write(data, to: file, download.core, TaskEvents(self, download, download.core))
        }
        if let download, let file {
            core.complete(nil)
            await finish(download, file, error, TaskEvents(self, download, download.core, asksWhetherToCache: false))
            download.core.end()
        } else {
            core.complete(error)
            await events.didComplete(error)
        }
        core.end()
    }

    /// A task's URLSession delegates; `nil` if there are none, which is faster.
    func events(_ task: URLSessionTask, _ core: TaskCore) -> TaskEvents? {
        guard foundation.hasDelegate || core.withValues({ $0.delegate != nil }) else { return nil }
        return TaskEvents(self, task, core)
    }

    /// Loads a task's request, passes the answer on, and returns why it failed. With `completes`, the task is over by
    /// then.
    ///
    /// - Parameters:
    ///   - onResponse: called first, with the header; may wait.
    ///   - onData: called with the parts of the body; may wait, and then the body waits, too.
    func perform(
        _ core: TaskCore, _ delegate: (any CachingSessionDelegate)?, upload: UploadBody? = nil,
        continuing download: BrokenDownload? = nil, completes: Bool = true,
        onResponse: (HTTPURLResponse) async throws -> Void = { _ in }, onData: (Data) async throws -> Void
    ) async -> URLError? {
        let request = core.originalRequest
        let error: URLError?
        do {
            try Task.checkCancellation()
            try requireValid(core)
            core.withValues { $0.times.start = $0.times.start ?? Date() }
            let loaded = try await load(core, delegate, upload, continuing: download)
            try await onResponse(core.withValues { $0.response } ?? loaded.response)
            core.didPassOn(byteCount: 0)
            var parts = ResponseBody(loaded.body, request, in: cache?.decoded).makeAsyncIterator()
            while let data = try await next(&parts, core, delegate) {
                try await core.waitWhileSuspended()
                core.didReceive(byteCount: data.count)
                try await onData(data)
                core.didPassOn(byteCount: data.count)
            }
            try await core.waitWhileSuspended()
            error = nil
        } catch let thrown {
            error = await whenResumed(core, URLError(thrown, request))
        }
        if completes { core.complete(error) }
        return error
    }

    /// A task's answer, once the task is not suspended. A GET or HEAD whose connection was lost meanwhile is sent again.
    private func load(
        _ core: TaskCore, _ delegate: (any CachingSessionDelegate)?, _ upload: UploadBody?,
        continuing download: BrokenDownload?
    ) async throws -> Loaded {
        let request = core.originalRequest
        while true {
            do {
                let loaded = try await load(
                    request, delegate, continuing: download, upload: upload?.of(core, delegate as? TaskEvents),
                    secondsRunning: secondsRunning(core), onTransaction: { core.didEnd($0) },
                    onRequest: { core.willSend($0) })
                recordUnsized(loaded, request, size: nil)
                core.didReceive(loaded)
                await upload?.didEnd(core, delegate as? TaskEvents)
                try await core.waitWhileSuspended()
                guard case .stream(let body) = loaded.body, body.isCutOff else { return loaded }
            } catch {
                let isSafe = request.method == "GET" || request.method == "HEAD"
                guard isSafe, URLError(error, request).code == .networkConnectionLost,
                    try await core.waitWhileSuspended()
                else { throw error }
            }
        }
    }

    private func secondsRunning(_ core: TaskCore) -> @Sendable () -> Double {
        { [clock] in core.secondsRunning(at: clock.uptime) }
    }

    /// The next part of a task's body. If another request could not wait for this one, the rest is asked for.
    private func next(
        _ parts: inout ResponseBody.Iterator, _ core: TaskCore, _ delegate: (any CachingSessionDelegate)?
    ) async throws -> Data? {
        do {
            return try await parts.next()
        } catch {
            let request = core.originalRequest
            let (response, received): (HTTPURLResponse?, Int64) = core.withValues { ($0.response, $0.received) }
            guard let response, parts.isCutOff else { throw error }
            let loaded = try await load(
                request, delegate, continuing: BrokenDownload(request, received, response, now: clock.now),
                secondsRunning: secondsRunning(core), onTransaction: { core.didEnd($0) })
            guard let rest = rest(loaded, request, after: received) else { throw error }
            parts = rest.makeAsyncIterator()
            return try await parts.next()
        }
    }

    /// Returns the error of a task once it is not suspended, or that it was cancelled meanwhile.
    private func whenResumed(_ core: TaskCore, _ error: URLError) async -> URLError {
        guard error.code != .cancelled else { return error }
        do {
            try await core.waitWhileSuspended()
            return error
        } catch let cancelled {
            return URLError(cancelled, core.originalRequest)
        }
    }

    /// - Throws: if the session had been invalidated before the task was made.
    private func requireValid(_ core: TaskCore) throws {
        guard core.isRefused else { return }
        throw URLError.invalidated(core.originalRequest)
    }
}

extension URLError {
    static func invalidated(_ request: URLRequest) -> URLError {
        URLError(.cancelled, request, "the session was invalidated; make another one")
    }
}
