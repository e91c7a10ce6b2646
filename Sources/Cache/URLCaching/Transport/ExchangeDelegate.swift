import Platform

/// Tells exchanges what URLSession says about their tasks.
///
/// `@unchecked Sendable`: its superclass is not Sendable and has no state; the only property here is a Sendable constant.
final class ExchangeDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let exchanges = Locked<[Int: Exchange]>([:])

    var count: Int { exchanges.withLock { $0.count } }

    /// Begins a task whose answer goes to `exchange`.
    func begin(_ exchange: Exchange, _ task: URLSessionDataTask) {
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
        exchange.begin(task)
    }

    private func exchange(of task: URLSessionTask) -> Exchange? {
        exchanges.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        exchange(of: dataTask)?.receive(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.receive(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        exchange?.complete(task.response, error)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        #if canImport(Darwin)
        completionHandler(nil)
        #else
        // A refusal is carried out later, on another queue; a task that a cancellation or its time-out has ended by then
        // ends the process. The response is complete, and the task is of no more use.
        exchange(of: task)?.receiveRedirection(response)
        #endif
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(Darwin)
        // Met by Challenges, after the 401.
        guard challenge.protectionSpace.authenticationMethod != NSURLAuthenticationMethodHTTPBasic,
            let context = exchange(of: task)?.context
        else { return completionHandler(.performDefaultHandling, nil) }
        Task {
            let (disposition, credential) = await context.answer(challenge)
            completionHandler(disposition, credential)
        }
        #else
        // Asked when all of the 401 has been handed out. There is no answer that would end the task: the default leaves
        // it hanging, and a credential for anything but Basic authentication ends the process.
        exchange(of: task)?.receiveEnd()
        #endif
    }
}
