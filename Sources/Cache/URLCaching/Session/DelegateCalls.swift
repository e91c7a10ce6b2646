// The methods of URLSession's delegates. On Apple systems they are optional, and a missing one answers as URLSession
// would; on Linux the protocols have default implementations.

extension URLSessionDelegate {
    func tellInvalid(_ session: URLSession) {
        #if canImport(Darwin)
        urlSession?(session, didBecomeInvalidWithError: nil)
        #else
        urlSession(session, didBecomeInvalidWithError: nil)
        #endif
    }

    typealias ChallengeAnswer = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

    func ask(_ session: URLSession, challenge: URLAuthenticationChallenge, _ answer: @escaping ChallengeAnswer) {
        #if canImport(Darwin)
        if urlSession?(session, didReceive: challenge, completionHandler: answer) == nil {
            answer(.performDefaultHandling, nil)
        }
        #else
        urlSession(session, didReceive: challenge, completionHandler: answer)
        #endif
    }
}

extension URLSessionTaskDelegate {
    func ask(
        _ session: URLSession, _ task: URLSessionTask, challenge: URLAuthenticationChallenge,
        _ answer: @escaping ChallengeAnswer
    ) {
        #if canImport(Darwin)
        if urlSession?(session, task: task, didReceive: challenge, completionHandler: answer) == nil {
            answer(.performDefaultHandling, nil)
        }
        #else
        urlSession(session, task: task, didReceive: challenge, completionHandler: answer)
        #endif
    }

    func ask(
        _ session: URLSession, _ task: URLSessionTask, redirection: HTTPURLResponse, to request: URLRequest,
        _ answer: @escaping @Sendable (URLRequest?) -> Void
    ) {
        #if canImport(Darwin)
        if urlSession?(
            session, task: task, willPerformHTTPRedirection: redirection, newRequest: request, completionHandler: answer
        )
            == nil
        {
            answer(request)
        }
        #else
        urlSession(
            session, task: task, willPerformHTTPRedirection: redirection, newRequest: request, completionHandler: answer
        )
        #endif
    }

    func askForBody(
        _ session: URLSession, _ task: URLSessionTask, _ answer: @escaping @Sendable (InputStream?) -> Void
    ) {
        #if canImport(Darwin)
        if urlSession?(session, task: task, needNewBodyStream: answer) == nil { answer(nil) }
        #else
        urlSession(session, task: task, needNewBodyStream: answer)
        #endif
    }

    func tellSent(_ session: URLSession, _ task: URLSessionTask, _ count: Int64, _ total: Int64, _ expected: Int64) {
        #if canImport(Darwin)
        urlSession?(
            session, task: task, didSendBodyData: count, totalBytesSent: total, totalBytesExpectedToSend: expected)
        #else
        urlSession(
            session, task: task, didSendBodyData: count, totalBytesSent: total, totalBytesExpectedToSend: expected)
        #endif
    }

    func tellEnd(_ session: URLSession, _ task: URLSessionTask, _ error: (any Error)?) {
        #if canImport(Darwin)
        urlSession?(session, task: task, didCompleteWithError: error)
        #else
        urlSession(session, task: task, didCompleteWithError: error)
        #endif
    }
}

extension URLSessionDataDelegate {
    func ask(
        _ session: URLSession, _ task: URLSessionDataTask, response: URLResponse,
        _ answer: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        #if canImport(Darwin)
        if urlSession?(session, dataTask: task, didReceive: response, completionHandler: answer) == nil {
            answer(.allow)
        }
        #else
        urlSession(session, dataTask: task, didReceive: response, completionHandler: answer)
        #endif
    }

    func ask(
        _ session: URLSession, _ task: URLSessionDataTask, toCache proposed: CachedURLResponse,
        _ answer: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        #if canImport(Darwin)
        if urlSession?(session, dataTask: task, willCacheResponse: proposed, completionHandler: answer) == nil {
            answer(proposed)
        }
        #else
        urlSession(session, dataTask: task, willCacheResponse: proposed, completionHandler: answer)
        #endif
    }

    func tell(_ session: URLSession, _ task: URLSessionDataTask, _ data: Data) {
        #if canImport(Darwin)
        urlSession?(session, dataTask: task, didReceive: data)
        #else
        urlSession(session, dataTask: task, didReceive: data)
        #endif
    }

    func tell(_ session: URLSession, _ task: URLSessionDataTask, becomes download: URLSessionDownloadTask) {
        #if canImport(Darwin)
        urlSession?(session, dataTask: task, didBecome: download)
        #else
        urlSession(session, dataTask: task, didBecome: download)
        #endif
    }
}

extension URLSessionDownloadDelegate {
    func tellWritten(
        _ session: URLSession, _ task: URLSessionDownloadTask, _ count: Int64, _ total: Int64, _ expected: Int64
    ) {
        #if canImport(Darwin)
        urlSession?(
            session, downloadTask: task, didWriteData: count, totalBytesWritten: total,
            totalBytesExpectedToWrite: expected)
        #else
        urlSession(
            session, downloadTask: task, didWriteData: count, totalBytesWritten: total,
            totalBytesExpectedToWrite: expected)
        #endif
    }

    func tellResumed(_ session: URLSession, _ task: URLSessionDownloadTask, _ offset: Int64, _ expected: Int64) {
        #if canImport(Darwin)
        urlSession?(session, downloadTask: task, didResumeAtOffset: offset, expectedTotalBytes: expected)
        #else
        urlSession(session, downloadTask: task, didResumeAtOffset: offset, expectedTotalBytes: expected)
        #endif
    }
}
