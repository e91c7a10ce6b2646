import HTTPCache

/// Downloads into a file, like URLSession's. A body too long for the cache is never in memory as a whole.
extension CachingSession {
    /// A handler of a downloaded file.
    public typealias FileHandler = @Sendable (URL?, URLResponse?, (any Error)?) -> Void

    /// Downloads into a file in the temporary directory, like `URLSession.download(for:delegate:)`. The file is the
    /// caller's.
    ///
    /// - Throws: `URLError`. If the download can be continued, pass the error's
    ///   `userInfo["NSURLSessionDownloadTaskResumeData"]` to `download(resumeFrom:)`.
    public func download(
        for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (URL, URLResponse) {
        try await awaited(delegate, dropping: Self.remove) { self.downloading(request, nil, keepsFile: true, $0) }
    }

    /// The same for a GET of a URL.
    public func download(
        from url: URL, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (URL, URLResponse) {
        try await download(for: URLRequest(url: url), delegate: delegate)
    }

    /// Continues a download. Starts over if the origin has another representation by now, or the file is gone.
    ///
    /// - Throws: as `download(for:)`; `cannotDecodeRawData` if it is not resume data.
    public func download(
        resumeFrom resumeData: Data, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (URL, URLResponse) {
        try await awaited(delegate, dropping: Self.remove) { self.resuming(resumeData, keepsFile: true, $0) }
    }

    @Sendable private static func remove(_ file: URL) { try? FileManager.default.removeItem(at: file) }

    /// A task that downloads into a file and tells the delegate. Move the file in `didFinishDownloadingTo`: it is
    /// removed afterwards.
    public func downloadTask(with request: URLRequest) -> CachingDownloadTask { downloading(request, nil, nil) }

    /// The same for a GET of a URL.
    public func downloadTask(with url: URL) -> CachingDownloadTask { downloadTask(with: URLRequest(url: url)) }

    /// A task that continues a download.
    public func downloadTask(withResumeData resumeData: Data) -> CachingDownloadTask { resuming(resumeData, nil) }

    /// A task that downloads into a file and passes it to a handler. Move the file there: it is removed afterwards.
    public func downloadTask(
        with request: URLRequest, completionHandler: @escaping FileHandler
    ) -> CachingDownloadTask {
        downloading(request, nil, completionHandler)
    }

    /// The same for a GET of a URL.
    public func downloadTask(with url: URL, completionHandler: @escaping FileHandler) -> CachingDownloadTask {
        downloadTask(with: URLRequest(url: url), completionHandler: completionHandler)
    }

    /// A task that continues a download.
    public func downloadTask(
        withResumeData resumeData: Data, completionHandler: @escaping FileHandler
    ) -> CachingDownloadTask {
        resuming(resumeData, completionHandler)
    }

    private func resuming(_ data: Data, keepsFile: Bool = false, _ handler: FileHandler?) -> CachingDownloadTask {
        let resumeData = Result { try ResumeData(decoding: data) }
        let request = (try? resumeData.get())?.request ?? URLRequest(url: URL(fileURLWithPath: "/"))
        return downloading(request, resumeData, keepsFile: keepsFile, handler)
    }

    private func downloading(
        _ request: URLRequest, _ resumeData: Result<ResumeData, any Error>?, keepsFile: Bool = false,
        _ handler: FileHandler?
    ) -> CachingDownloadTask {
        CachingDownloadTask(self, request) { [self] task in
            await download(task, resumeData, keepsFile: keepsFile, handler)
        }
    }

    // MARK: The work of a task

    private func download(
        _ task: CachingDownloadTask, _ resumeData: Result<ResumeData, any Error>?, keepsFile: Bool,
        _ handler: FileHandler?
    ) async {
        let core = task.core
        let events = TaskEvents(self, task, core, asksWhetherToCache: false)
        // A handler replaces the delegate, except for questions.
        let told = handler == nil ? events : nil
        let asked = delegate ?? (foundation.hasDelegate || task.delegate != nil ? events : nil)
        var progress = DownloadProgress()
        var error: URLError?
        do {
            progress.earlier = try resumeData?.get()
            progress.file = progress.earlier.flatMap { DownloadFile(named: $0.fileName, byteCount: $0.byteCount) }
            if progress.file == nil { progress = DownloadProgress(file: try DownloadFile()) }
            repeat {
                error = await perform(
                    core, asked, continuing: progress.broken(now: clock.now), completes: false
                ) { response in
                    if let offset = try progress.begin(response, core) {
                        await told?.didResume(at: offset, of: response.expectedContentLength)
                    }
                } onData: { data in
                    if let file = progress.file { try await write(data, to: file, core, told) }
                }
                if error == nil { error = progress.lacking(core) }
            } while error == nil && progress.asksForMore
        } catch let thrown {
            error = URLError(thrown, core.originalRequest)
        }
        await finish(task, progress.file, error, told, earlier: progress.earlier, keepsFile: keepsFile, handler)
        core.end()
    }

    func write(_ data: Data, to file: DownloadFile, _ core: TaskCore, _ events: TaskEvents?) async throws {
        do {
            try file.write(data)
        } catch {
            throw URLError(
                .cannotWriteToFile, core.originalRequest, "\(file.url.path) cannot be written: \(error)", cause: error)
        }
        let counts = core.withValues { ($0.received, $0.expectedToReceive) }
        await events?.didWrite(Int64(data.count), of: counts)
    }

    /// Ends a download: hands out the file, or what continues it.
    ///
    /// - Parameter earlier: what continues it if nothing has come since.
    func finish(
        _ task: CachingDownloadTask, _ file: DownloadFile?, _ error: URLError?, _ events: TaskEvents?,
        earlier: ResumeData? = nil, keepsFile: Bool = false, _ handler: FileHandler? = nil
    ) async {
        let core = task.core
        let written = file?.byteCount ?? 0
        file?.close()
        var error = error
        var resumeData: Data?
        let (response, received): (HTTPURLResponse?, Int64) = core.withValues { ($0.response, $0.received) }
        if let failed = error, let file {
            let kept =
                earlier ?? ResumeData(core.originalRequest, response, file, byteCount: min(received, written))
            // Who just cancels gives up what has come. An invalidated session has the same code, and so has a server
            // that the delegate doesn't trust.
            let isGivenUp = failed.code == .cancelled && Task.isCancelled && core.withValues { $0.onResumeData == nil }
            resumeData = isGivenUp ? nil : kept?.encoded
            if let resumeData {
                var userInfo = (failed as NSError).userInfo
                userInfo[ResumeData.key] = resumeData
                error = URLError(failed.code, userInfo: userInfo)
            } else {
                kept?.removeFile()
            }
            if resumeData == nil || kept?.fileName != file.url.lastPathComponent { file.remove() }
        }
        core.complete(error)
        let onResumeData = core.withValues { $0.onResumeData.take() }
        onResumeData?(resumeData)
        if let handler {
            await foundation.call { [error] in
                handler(error == nil ? file?.url : nil, error == nil ? response : nil, error)
            }
        } else {
            if error == nil, let file { await events?.didFinishDownloading(to: file.url) }
        }
        // Before the delegate hears of the end: if it then continues with old resume data, it must not find the file.
        if error == nil, !keepsFile { file?.remove() }
        if handler == nil { await events?.didComplete(error) }
    }
}
