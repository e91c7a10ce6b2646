import HTTPCache
import Platform

/// Uploads, as URLSession's. Their answers are not stored, and what is stored for the URL is removed (RFC 9111, section
/// 4.4).
extension CachingSession {
    /// A handler of an answer.
    public typealias DataHandler = @Sendable (Data?, URLResponse?, (any Error)?) -> Void

    /// Uploads bytes, and answers with the whole body, as `URLSession.upload(for:from:delegate:)`.
    ///
    /// - Throws: `URLError`.
    public func upload(
        for request: URLRequest, from bodyData: Data, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        try await awaited(delegate) { self.uploadTask(with: request, from: bodyData, completionHandler: $0) }
    }

    /// Uploads a file, which is read while it is sent.
    ///
    /// - Throws: `URLError`; `fileDoesNotExist` or `noPermissionsToReadFile` when the file cannot be read.
    public func upload(
        for request: URLRequest, fromFile fileURL: URL, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        try await awaited(delegate) { self.uploadTask(with: request, fromFile: fileURL, completionHandler: $0) }
    }

    /// A task that uploads bytes and tells the delegate.
    ///
    /// Bytes in memory are sent again where a request without an answer may be: always for PUT, for others only where
    /// the protocol proves that it was not processed. `didSendBodyData` comes once for them, with the answer.
    public func uploadTask(with request: URLRequest, from bodyData: Data) -> CachingUploadTask {
        uploading(request.with(bodyData), .data(bodyData.count), nil)
    }

    /// A task that uploads bytes and hands its answer to a handler.
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

    /// A task that uploads a file and hands its answer to a handler.
    public func uploadTask(
        with request: URLRequest, fromFile fileURL: URL, completionHandler: @escaping DataHandler
    ) -> CachingUploadTask {
        uploading(request.with(nil), .file(fileURL), completionHandler)
    }

    /// A task that uploads what the delegate's `needNewBodyStream` gives, or else the request's `httpBodyStream`.
    public func uploadTask(withStreamedRequest request: URLRequest) -> CachingUploadTask {
        uploading(request, .fromDelegate, nil)
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

    /// The answer of a task with a handler, which a cancellation of the caller cancels.
    func awaited<Part: Sendable, Made: URLSessionTask>(
        _ delegate: (any URLSessionTaskDelegate)?,
        _ make: (@escaping @Sendable (Part?, URLResponse?, (any Error)?) -> Void) -> Made
    ) async throws -> (Part, URLResponse) {
        let answer = OneShot<Result<(Part, URLResponse), any Error>>()
        let task = make { part, response, error in
            guard let part, let response else { return answer.provide(.failure(error ?? URLError(.unknown))) }
            answer.provide(.success((part, response)))
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
    /// With a body in memory, or with none.
    fileprivate func with(_ body: Data?) -> URLRequest {
        var request = self
        request.httpBodyStream = nil
        request.httpBody = body
        return request
    }
}
