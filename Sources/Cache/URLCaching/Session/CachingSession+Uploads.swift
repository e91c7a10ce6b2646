import HTTPCache
import HTTPSemantics
import Platform

/// Uploads, like URLSession's. Their answers are not stored, and what is stored for the URL is removed (RFC 9111,
/// section 4.4).
extension CachingSession {
    /// A handler of an answer.
    public typealias DataHandler = @Sendable (Data?, URLResponse?, (any Error)?) -> Void

    /// Uploads bytes and returns the whole answer, like `URLSession.upload(for:from:delegate:)`.
    ///
    /// - Throws: `URLError`.
    public func upload(
        for request: URLRequest, from bodyData: Data, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        try await awaited(delegate) { self.uploadTask(with: request, from: bodyData, completionHandler: $0) }
    }

    /// Uploads a file, which is read while it is sent.
    ///
    /// - Throws: `URLError`; `fileDoesNotExist` or `noPermissionsToReadFile` if the file cannot be read.
    public func upload(
        for request: URLRequest, fromFile fileURL: URL, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        try await awaited(delegate) { self.uploadTask(with: request, fromFile: fileURL, completionHandler: $0) }
    }

    /// A task that uploads bytes and tells the delegate.
    ///
    /// Bytes in memory are sent again if a request without an answer may be repeated: always for PUT, for others only
    /// if the protocol proves that it was not processed. For them `didSendBodyData` comes once, with the answer.
    public func uploadTask(with request: URLRequest, from bodyData: Data) -> CachingUploadTask {
        uploading(request.with(bodyData), .data(bodyData.count), nil)
    }

    /// A task that uploads bytes and passes its answer to a handler.
    public func uploadTask(
        with request: URLRequest, from bodyData: Data?, completionHandler: @escaping DataHandler
    ) -> CachingUploadTask {
        let data = bodyData ?? request.httpBody ?? Data()
        return uploading(request.with(data), .data(data.count), completionHandler)
    }

    /// A task that uploads a file and tells the delegate, part by part.
    public func uploadTask(with request: URLRequest, fromFile fileURL: URL) -> CachingUploadTask {
        uploading(request.with(nil), .file(fileURL), nil)
    }

    /// A task that uploads a file and passes its answer to a handler.
    public func uploadTask(
        with request: URLRequest, fromFile fileURL: URL, completionHandler: @escaping DataHandler
    ) -> CachingUploadTask {
        uploading(request.with(nil), .file(fileURL), completionHandler)
    }

    /// A task that uploads the stream from the delegate's `needNewBodyStream`, or else the request's `httpBodyStream`.
    public func uploadTask(withStreamedRequest request: URLRequest) -> CachingUploadTask {
        uploading(request, .delegate, nil)
    }

    private func uploading(_ request: URLRequest, _ body: UploadBody, _ handler: DataHandler?) -> CachingUploadTask {
        CachingUploadTask(self, request) { [self] task in
            if let handler {
                await collect(task, task.core, body, handler)
            } else {
                await report(task, task.core, body)
            }
        }
    }

    /// The answer of a task with a handler. Cancelling the caller cancels the task.
    ///
    /// - Parameter drop: called with the answer of a caller that was cancelled as it came.
    func awaited<Part: Sendable, Made: URLSessionTask>(
        _ delegate: (any URLSessionTaskDelegate)?, dropping drop: @escaping @Sendable (Part) -> Void = { _ in },
        _ make: (@escaping @Sendable (Part?, URLResponse?, (any Error)?) -> Void) -> Made
    ) async throws -> (Part, URLResponse) {
        let answer = OneShot<Result<(Part, URLResponse), any Error>>()
        let task = make { part, response, error in
            if let part, let response {
                if !answer.provide(.success((part, response))) { drop(part) }
            } else {
                answer.provide(.failure(error ?? URLError(.unknown)))
            }
        }
        if let delegate { task.delegate = delegate }
        return try await withTaskCancellationHandler {
            task.resume()
            return try await answer.wait(cancelled: .failure(URLError(.cancelled))).get()
        } onCancel: {
            task.cancel()
        }
    }
}

extension URLRequest {
    fileprivate func with(_ body: Data?) -> URLRequest {
        var request = self
        request.httpBodyStream = nil
        request.httpBody = body
        return request
    }
}

/// Where an upload's body comes from. It is made anew for each request sent, so a redirection or challenge does not
/// find it already read.
enum UploadBody: Sendable {
    /// The request's `httpBody`, in memory, so a request that was not processed can be repeated.
    case data(Int)
    case file(URL)
    case delegate
    /// The request's own stream. Where that has been read, the delegate is asked for another one.
    case stream

    /// What a data task uploads; `nil` if its request has no body.
    init?(of request: URLRequest) {
        if let body = request.httpBody {
            self = .data(body.count)
        } else if request.httpBodyStream != nil {
            self = .stream
        } else {
            return nil
        }
    }

    /// The body for one request.
    ///
    /// - Throws: `fileDoesNotExist`, `noPermissionsToReadFile` or `requestBodyStreamExhausted`.
    typealias Making = @Sendable (URLRequest) async throws -> RequestBody?

    func of(_ core: TaskCore, _ events: TaskEvents?) -> Making? {
        switch self {
        case .data(let count):
            core.willSendBody(Int64(count))
            return nil
        case .file(let url):
            return { request in
                let length = try Self.length(of: url, request)
                core.willSendBody(length)
                guard let stream = InputStream(url: url) else { throw Self.unreadable(url, request) }
                return .stream(InputStreamBody(stream, onRead: Self.reporting(core, events)), length: length)
            }
        case .delegate: return { request in await Self.streamedBody(of: request, isNew: true, core, events) }
        case .stream:
            let isRead = Locked(false)
            return { request in
                let isNew = isRead.withLock { isRead in
                    defer { isRead = true }
                    return isRead
                }
                return await Self.streamedBody(of: request, isNew: isNew, core, events)
            }
        }
    }

    /// The answer has come. Reports a body in memory as a whole, because we don't know when which part of it is sent.
    func didEnd(_ core: TaskCore, _ events: TaskEvents?) async {
        guard case .data(let count) = self, count > 0 else { return }
        let answeredBy = core.withValues { $0.source }
        // Nothing was sent then.
        guard answeredBy != .memoryHit, answeredBy != .diskHit else { return }
        let counts = core.didSend(byteCount: Int64(count))
        await events?.didSend(Int64(count), of: counts)
    }

    /// The request's stream or body, or the delegate's stream if it is to be a new one and the delegate has one.
    private static func streamedBody(
        of request: URLRequest, isNew: Bool, _ core: TaskCore, _ events: TaskEvents?
    ) async -> RequestBody? {
        let given = isNew ? await events?.needsBodyStream()?.stream : nil
        guard let stream = given ?? request.httpBodyStream else { return RequestBody(request) }
        let length = request.statedBodyLength
        core.willSendBody(length)
        return .stream(InputStreamBody(stream, onRead: reporting(core, events)), length: length)
    }

    private static func reporting(_ core: TaskCore, _ events: TaskEvents?) -> @Sendable (Int) async -> Void {
        { count in
            let counts = core.didSend(byteCount: Int64(count))
            await events?.didSend(Int64(count), of: counts)
        }
    }

    /// The length in bytes; `nil` if it is not a plain file.
    private static func length(of url: URL, _ request: URLRequest) throws -> Int64? {
        guard FileManager.default.isReadableFile(atPath: url.path) else { throw unreadable(url, request) }
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)
        guard attributes?[.type] as? FileAttributeType == .typeRegular else {
            throw URLError(.fileIsDirectory, request, "\(url.path) is no file, so that it cannot be uploaded")
        }
        return (attributes?[.size] as? NSNumber)?.int64Value
    }

    private static func unreadable(_ url: URL, _ request: URLRequest) -> URLError {
        FileManager.default.fileExists(atPath: url.path)
            ? URLError(.noPermissionsToReadFile, request, "\(url.path) may not be read; change its permissions")
            : URLError(.fileDoesNotExist, request, "\(url.path), which is to be uploaded, does not exist")
    }
}
