import Platform

// URLSession's members in its own types. The session's own return narrower types or have default arguments, which a
// protocol's requirement does not take, and applications that test without a network have such protocols:
//
//     protocol Loading { func dataTask(with url: URL, completionHandler: ...) -> URLSessionDataTask }
//     extension CachingSession: Loading {}
//
// Everywhere else the compiler takes the narrower ones.

/// Tasks.
extension CachingSession {
    /// As `URLSession` types it.
    @_disfavoredOverload
    public func dataTask(with request: URLRequest) -> URLSessionDataTask {
        let task: CachingTask = dataTask(with: request, delegate: nil)
        return task
    }

    /// As `URLSession` types it.
    @_disfavoredOverload
    public func dataTask(with url: URL) -> URLSessionDataTask {
        let task: CachingTask = dataTask(with: url)
        return task
    }

    /// As `URLSession` types it.
    @_disfavoredOverload
    public func dataTask(with request: URLRequest, completionHandler: @escaping DataHandler) -> URLSessionDataTask {
        let task: CachingTask = dataTask(with: request, completionHandler: completionHandler)
        return task
    }

    /// As `URLSession` types it.
    @_disfavoredOverload
    public func dataTask(with url: URL, completionHandler: @escaping DataHandler) -> URLSessionDataTask {
        let task: CachingTask = dataTask(with: url, completionHandler: completionHandler)
        return task
    }

    /// As `URLSession` types it.
    @_disfavoredOverload
    public func uploadTask(with request: URLRequest, from bodyData: Data) -> URLSessionUploadTask {
        let task: CachingUploadTask = uploadTask(with: request, from: bodyData)
        return task
    }

    /// As `URLSession` types it.
    @_disfavoredOverload
    public func uploadTask(
        with request: URLRequest, from bodyData: Data?, completionHandler: @escaping DataHandler
    ) -> URLSessionUploadTask {
        let task: CachingUploadTask = uploadTask(with: request, from: bodyData, completionHandler: completionHandler)
        return task
    }

    /// As `URLSession` types it.
    @_disfavoredOverload
    public func uploadTask(with request: URLRequest, fromFile fileURL: URL) -> URLSessionUploadTask {
        let task: CachingUploadTask = uploadTask(with: request, fromFile: fileURL)
        return task
    }

    /// As `URLSession` types it.
    @_disfavoredOverload
    public func uploadTask(
        with request: URLRequest, fromFile fileURL: URL, completionHandler: @escaping DataHandler
    ) -> URLSessionUploadTask {
        let task: CachingUploadTask = uploadTask(with: request, fromFile: fileURL, completionHandler: completionHandler)
        return task
    }

    /// As `URLSession` types it.
    @_disfavoredOverload
    public func uploadTask(withStreamedRequest request: URLRequest) -> URLSessionUploadTask {
        let task: CachingUploadTask = uploadTask(withStreamedRequest: request)
        return task
    }

    /// As `URLSession` types it.
    @_disfavoredOverload
    public func downloadTask(with request: URLRequest) -> URLSessionDownloadTask {
        let task: CachingDownloadTask = downloadTask(with: request)
        return task
    }

    /// As `URLSession` types it.
    @_disfavoredOverload
    public func downloadTask(with url: URL) -> URLSessionDownloadTask {
        let task: CachingDownloadTask = downloadTask(with: url)
        return task
    }

    /// As `URLSession` types it.
    @_disfavoredOverload
    public func downloadTask(withResumeData resumeData: Data) -> URLSessionDownloadTask {
        let task: CachingDownloadTask = downloadTask(withResumeData: resumeData)
        return task
    }

    /// As `URLSession` types it.
    @_disfavoredOverload
    public func downloadTask(
        with request: URLRequest, completionHandler: @escaping FileHandler
    ) -> URLSessionDownloadTask {
        let task: CachingDownloadTask = downloadTask(with: request, completionHandler: completionHandler)
        return task
    }

    /// As `URLSession` types it.
    @_disfavoredOverload
    public func downloadTask(with url: URL, completionHandler: @escaping FileHandler) -> URLSessionDownloadTask {
        let task: CachingDownloadTask = downloadTask(with: url, completionHandler: completionHandler)
        return task
    }

    /// As `URLSession` types it.
    @_disfavoredOverload
    public func downloadTask(
        withResumeData resumeData: Data, completionHandler: @escaping FileHandler
    ) -> URLSessionDownloadTask {
        let task: CachingDownloadTask = downloadTask(withResumeData: resumeData, completionHandler: completionHandler)
        return task
    }
}

/// Requests that are awaited.
extension CachingSession {
    /// As `URLSession` types it.
    @_disfavoredOverload
    public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
        try await data(for: request, delegate: nil as (any CachingSessionDelegate)?)
    }

    /// As `URLSession` types it.
    @_disfavoredOverload
    public func data(from url: URL) async throws -> (Data, URLResponse) {
        try await data(from: url, delegate: nil as (any CachingSessionDelegate)?)
    }

    /// As `URLSession` types it.
    @_disfavoredOverload
    public func upload(for request: URLRequest, from bodyData: Data) async throws -> (Data, URLResponse) {
        try await upload(for: request, from: bodyData, delegate: nil)
    }

    /// As `URLSession` types it.
    @_disfavoredOverload
    public func upload(for request: URLRequest, fromFile fileURL: URL) async throws -> (Data, URLResponse) {
        try await upload(for: request, fromFile: fileURL, delegate: nil)
    }

    /// As `URLSession` types it.
    @_disfavoredOverload
    public func download(for request: URLRequest) async throws -> (URL, URLResponse) {
        try await download(for: request, delegate: nil)
    }

    /// As `URLSession` types it.
    @_disfavoredOverload
    public func download(from url: URL) async throws -> (URL, URLResponse) {
        try await download(from: url, delegate: nil)
    }
}

/// A session whose properties can be had in URLSession's types as well: a type that says so is needed.
public protocol URLSessionTyped: AnyObject {}

extension CachingSession: URLSessionTyped {}

extension URLSessionTyped where Self == CachingSession {
    /// The settings as URLSession has them, cache and policy included: a copy, as there.
    public var configuration: URLSessionConfiguration {
        let own: CachingSession.Configuration = self.configuration
        let settings = own.urlSession.makeConfiguration()
        settings.requestCachePolicy = own.requestCachePolicy
        return settings
    }

    /// The delegate of URLSession's kind.
    public var delegate: (any URLSessionDelegate)? { self.sessionDelegate }
}

/// What is URLSession's alone.
extension CachingSession {
    /// Web sockets are not carried.
    @available(*, unavailable, message: "web sockets are URLSession's; make a URLSession for them")
    public func webSocketTask(with url: URL) -> URLSessionWebSocketTask { fatalError("unavailable") }

    /// Web sockets are not carried.
    @available(*, unavailable, message: "web sockets are URLSession's; make a URLSession for them")
    public func webSocketTask(with request: URLRequest) -> URLSessionWebSocketTask { fatalError("unavailable") }

    /// Streams are not carried.
    @available(*, unavailable, message: "streams are URLSession's; make a URLSession for them, or use Network")
    public func streamTask(withHostName hostname: String, port: Int) -> URLSessionTask { fatalError("unavailable") }
}
