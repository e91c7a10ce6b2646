import HTTPCache

extension CachingSession {
    /// A task that hands its answer to `completionHandler`, as `URLSession.dataTask(with:completionHandler:)`. Call
    /// `resume()` to begin it.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - completionHandler: called once, on any thread, with data and response or with a `URLError`.
    public func dataTask(
        with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> CachingTask {
        CachingTask(self, request) { [self] task in
            var body = Data()
            let error = await perform(task, delegate) { data in body.append(data) }
            if let error {
                completionHandler(nil, task.response, error)
            } else {
                completionHandler(body, task.response, nil)
            }
        }
    }

    /// The same for a GET of a URL.
    public func dataTask(
        with url: URL, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> CachingTask {
        dataTask(with: URLRequest(url: url), completionHandler: completionHandler)
    }

    /// A task that tells a delegate about its progress, as `URLSession.dataTask(with:)`. Call `resume()` to begin it.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - delegate: replaces the session's delegate; `nil` keeps it.
    public func dataTask(with request: URLRequest, delegate: (any CachingSessionDelegate)? = nil) -> CachingTask {
        let delegate = delegate ?? self.delegate
        return CachingTask(self, request) { [self] task in
            let error = await perform(task, delegate) { response in
                await delegate?.session(self, task: task, didReceive: response)
            } onData: { data in
                await delegate?.session(self, task: task, didReceive: data)
            }
            await delegate?.session(self, task: task, didCompleteWithError: error)
        }
    }

    /// Loads a task's request and passes the answer on.
    ///
    /// - Returns: why it failed.
    private func perform(
        _ task: CachingTask, _ delegate: (any CachingSessionDelegate)?,
        onResponse: (HTTPURLResponse) async -> Void = { _ in }, onData: (Data) async -> Void
    ) async -> URLError? {
        let request = task.originalRequest
        do {
            try Task.checkCancellation()
            let loaded = try await load(request, delegate, onRequest: { task.willSend($0) })
            recordUnsized(loaded, request, size: nil)
            task.didReceive(loaded)
            await onResponse(loaded.response)
            for try await data in ResponseBody(loaded.body, request, in: cache?.decoded) {
                try Task.checkCancellation()
                task.didReceive(byteCount: data.count)
                await onData(data)
            }
            try Task.checkCancellation()
            task.complete(nil)
            return nil
        } catch {
            let error = URLError(error, request)
            task.complete(error)
            return error
        }
    }
}
