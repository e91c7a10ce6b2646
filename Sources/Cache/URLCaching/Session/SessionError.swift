import CurlTransport
import HTTPCache

extension URLError {
    /// The error that a user of URLSession expects; its `NSUnderlyingErrorKey` is the cause.
    init(_ error: EngineError, _ request: URLRequest) {
        switch error {
        case .notStored: self.init(.resourceUnavailable, request, "\(error)")
        case .timedOut: self.init(.timedOut, request, "\(error)")
        case .cancelled: self.init(.cancelled, request, "\(error)")
        case .noAnswer(let cause): self.init(cause, request, error, otherwise: .cannotConnectToHost)
        case .brokenOff(let cause): self.init(cause, request, error, otherwise: .networkConnectionLost)
        }
    }

    /// An error about a request.
    init(_ code: Code, _ request: URLRequest, _ description: String, cause: (any Error)? = nil) {
        self.init(code, url: request.url?.absoluteString ?? "", description, cause: cause)
    }

    private init(_ cause: any Error, _ request: URLRequest, _ error: EngineError, otherwise code: Code) {
        // URLSession on Linux tells many failures, a body cut short among them, as `unknown`.
        let known = cause is CancellationError ? .cancelled : (cause as? URLError)?.code
        let reason = (cause as? URLError)?.localizedDescription ?? "\(error)"
        let found = known.flatMap { $0 == .unknown ? nil : $0 } ?? code
        let isOffline =
            (found == .cannotFindHost || found == .cannotConnectToHost) && NetworkInterfaces.isOffline(for: request.url)
        self.init(isOffline ? .notConnectedToInternet : found, request, reason, cause: cause)
    }

    /// Any error that a session meets.
    init(_ error: any Error, _ request: URLRequest) {
        switch error {
        case let error as URLError: self = error
        case let error as EngineError: self.init(error, request)
        default: self.init(error is CancellationError ? .cancelled : .unknown, request, "\(error)", cause: error)
        }
    }
}
