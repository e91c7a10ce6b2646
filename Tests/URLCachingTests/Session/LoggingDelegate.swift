import Platform
import Synchronization
import URLCaching

/// A delegate of URLSession's kind, which writes down what it is told and whether it is told of it on its queue.
///
/// `@unchecked Sendable`: its superclass is not Sendable and has no state; the properties are constants.
final class LoggingDelegate: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate, @unchecked Sendable {
    struct Answers: Sendable {
        var disposition = URLSession.ResponseDisposition.allow
        var followsRedirections = true
        var credential: URLCredential?
        var storagePolicy: URLCache.StoragePolicy?
        var stores = true
        var stream: Data?
    }

    let answers: Answers
    let queue = OperationQueue()
    let ended = AsyncStream<Void>.makeStream()
    let invalidated = AsyncStream<Void>.makeStream()
    private let entries = Locked<[String]>([])
    private let bytes = Locked(Data())
    private let outside = Locked(0)
    /// What the first file held when it was told of.
    let file = Locked<Data?>(nil)
    let sessions = Locked<[URLSession]>([])
    /// What a data task became last.
    let download = Locked<URLSessionDownloadTask?>(nil)

    init(_ answers: Answers = Answers()) {
        self.answers = answers
        super.init()
        queue.maxConcurrentOperationCount = 1
    }

    var log: [String] { entries.withLock { $0 } }
    var body: Data { bytes.withLock { $0 } }
    /// Calls on another queue.
    var callsElsewhere: Int { outside.withLock { $0 } }

    /// Waits for the end of a task.
    func end() async { for await _ in ended.stream { return } }

    private func note(_ entry: String, _ session: URLSession) {
        if OperationQueue.current !== queue { outside.withLock { $0 += 1 } }
        sessions.withLock { $0.append(session) }
        entries.withLock { $0.append(entry) }
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        note("invalid", session)
        invalidated.continuation.finish()
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        note("redirected \(response.statusCode) to \(request.url?.path ?? "")", session)
        completionHandler(answers.followsRedirections ? request : nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        note("challenged by \(challenge.protectionSpace.realm ?? "")", session)
        if let credential = answers.credential, challenge.previousFailureCount == 0 {
            completionHandler(.useCredential, credential)
        } else {
            completionHandler(.performDefaultHandling, nil)
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        note("needs a stream", session)
        completionHandler(answers.stream.map { InputStream(data: $0) })
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        note("sent \(totalBytesSent) of \(totalBytesExpectedToSend)", session)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        note((error as? URLError).map { "failed \($0.code.rawValue)" } ?? "end", session)
        ended.continuation.yield()
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        note("response \((response as? HTTPURLResponse)?.statusCode ?? 0)", session)
        completionHandler(answers.disposition)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isFirst = bytes.withLock { bytes in
            defer { bytes.append(data) }
            return bytes.isEmpty
        }
        if isFirst { note("data", session) }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didBecome downloadTask: URLSessionDownloadTask
    ) {
        download.withLock { $0 = downloadTask }
        note("became a download", session)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        note("will cache \(proposedResponse.data.count) of \(body.count)", session)
        guard answers.stores else { return completionHandler(nil) }
        guard let policy = answers.storagePolicy else { return completionHandler(proposedResponse) }
        completionHandler(
            CachedURLResponse(
                response: proposedResponse.response, data: proposedResponse.data, userInfo: nil, storagePolicy: policy))
    }

    func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
        note("file", session)
        file.withLock { $0 = $0 ?? (try? Data(contentsOf: location)) }
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        if totalBytesWritten == totalBytesExpectedToWrite {
            note("wrote \(totalBytesWritten) of \(totalBytesExpectedToWrite)", session)
        }
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {
        note("resumed at \(fileOffset) of \(expectedTotalBytes)", session)
    }
}
