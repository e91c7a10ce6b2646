#if canImport(FoundationNetworking)
import Platform

/// The URLSession given to a session's delegates and to code that takes one: everything that can be overridden is the
/// session's. `data(for:)` and `upload(for:)` cannot, and come back through a protocol class.
///
/// `@unchecked Sendable`, like its superclass: its only property is a constant of a Sendable type.
final class SessionStandIn: URLSession, @unchecked Sendable {
    let session: CachingSession

    init(_ session: CachingSession) {
        self.session = session
        super.init(configuration: Self.sending(session), delegate: nil, delegateQueue: session.foundation.queue)
    }

    /// What Foundation sends by: without what the session does itself.
    private static func sending(_ session: CachingSession) -> URLSessionConfiguration {
        let configuration = answering(session)
        configuration.urlCache = URLCache?.none
        configuration.httpCookieStorage = nil
        configuration.httpAdditionalHeaders = nil
        return configuration
    }

    private static func answering(_ session: CachingSession) -> URLSessionConfiguration {
        let configuration: URLSessionConfiguration = session.configuration
        configuration.protocolClasses = [StandInProtocol.self] + (configuration.protocolClasses ?? [])
        return configuration
    }

    /// The session's, and what Foundation finds the protocol by.
    override var configuration: URLSessionConfiguration { Self.answering(session) }
    override var delegate: (any URLSessionDelegate)? { session.foundation.delegate }
    override var delegateQueue: OperationQueue { session.foundation.queue }
    override var sessionDescription: String? {
        get { session.sessionDescription }
        set { session.sessionDescription = newValue }
    }

    override func finishTasksAndInvalidate() { session.finishTasksAndInvalidate() }
    override func invalidateAndCancel() { session.invalidateAndCancel() }
    override func reset(completionHandler: @escaping @Sendable () -> Void) {
        session.reset(completionHandler: completionHandler)
    }
    override func flush(completionHandler: @escaping @Sendable () -> Void) {
        session.flush(completionHandler: completionHandler)
    }
    override func getAllTasks(completionHandler: @escaping @Sendable ([URLSessionTask]) -> Void) {
        session.getAllTasks(completionHandler: completionHandler)
    }
    override func getTasksWithCompletionHandler(
        _ completionHandler:
            @escaping @Sendable ([URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask]) -> Void
    ) {
        session.getTasksWithCompletionHandler(completionHandler)
    }

    override func dataTask(with request: URLRequest) -> URLSessionDataTask { session.dataTask(with: request) }
    override func dataTask(with url: URL) -> URLSessionDataTask { session.dataTask(with: url) }
    override func dataTask(
        with request: URLRequest, completionHandler: @escaping CachingSession.DataHandler
    ) -> URLSessionDataTask {
        session.dataTask(with: request, completionHandler: completionHandler)
    }
    override func dataTask(
        with url: URL, completionHandler: @escaping CachingSession.DataHandler
    ) -> URLSessionDataTask {
        session.dataTask(with: url, completionHandler: completionHandler)
    }

    override func uploadTask(with request: URLRequest, fromFile fileURL: URL) -> URLSessionUploadTask {
        session.uploadTask(with: request, fromFile: fileURL)
    }
    override func uploadTask(with request: URLRequest, from bodyData: Data) -> URLSessionUploadTask {
        session.uploadTask(with: request, from: bodyData)
    }
    override func uploadTask(withStreamedRequest request: URLRequest) -> URLSessionUploadTask {
        session.uploadTask(withStreamedRequest: request)
    }
    override func uploadTask(
        with request: URLRequest, fromFile fileURL: URL, completionHandler: @escaping CachingSession.DataHandler
    ) -> URLSessionUploadTask {
        session.uploadTask(with: request, fromFile: fileURL, completionHandler: completionHandler)
    }
    override func uploadTask(
        with request: URLRequest, from bodyData: Data?, completionHandler: @escaping CachingSession.DataHandler
    ) -> URLSessionUploadTask {
        session.uploadTask(with: request, from: bodyData, completionHandler: completionHandler)
    }

    override func downloadTask(with request: URLRequest) -> URLSessionDownloadTask {
        session.downloadTask(with: request)
    }
    override func downloadTask(with url: URL) -> URLSessionDownloadTask { session.downloadTask(with: url) }
    override func downloadTask(withResumeData resumeData: Data) -> URLSessionDownloadTask {
        session.downloadTask(withResumeData: resumeData)
    }
    override func downloadTask(
        with request: URLRequest, completionHandler: @escaping CachingSession.FileHandler
    ) -> URLSessionDownloadTask {
        session.downloadTask(with: request, completionHandler: completionHandler)
    }
    override func downloadTask(
        with url: URL, completionHandler: @escaping CachingSession.FileHandler
    ) -> URLSessionDownloadTask {
        session.downloadTask(with: url, completionHandler: completionHandler)
    }
    override func downloadTask(
        withResumeData resumeData: Data, completionHandler: @escaping CachingSession.FileHandler
    ) -> URLSessionDownloadTask {
        session.downloadTask(withResumeData: resumeData, completionHandler: completionHandler)
    }
}

/// Answers what bypasses the overrides of `SessionStandIn`.
final class StandInProtocol: CachingURLProtocol {
    override var answeringSession: CachingSession {
        task?.standIn?.session ?? super.answeringSession
    }

    /// The session's own delegates are asked by itself.
    override func outerDelegate(
        _ request: URLRequest, _ session: CachingSession
    ) -> (any CachingSessionDelegate)? { nil }
}

extension URLSessionTask {
    /// Foundation keeps a task's session under this name, but does not show it.
    fileprivate var standIn: SessionStandIn? { property("session") as? SessionStandIn }
}
#endif

extension URLSessionTask {
    /// A `CachingSession` answers it, and looks into the cache itself.
    var isAnsweredByStandIn: Bool {
        #if canImport(FoundationNetworking)
        !(self is any CachingSessionTask) && standIn != nil
        #else
        false
        #endif
    }
}
