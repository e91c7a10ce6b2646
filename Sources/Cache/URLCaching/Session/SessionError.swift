// Invariant of the pointers: the list of getifaddrs is read before freeifaddrs, and nothing of it is kept.

import CurlTransport
import HTTPCache

extension URLError {
    /// The error that URLSession's users expect; its `NSUnderlyingErrorKey` is the cause.
    init(_ error: EngineError, _ request: URLRequest) {
        switch error {
        case .notStored: self.init(.resourceUnavailable, request, "\(error)")
        case .timedOut, .tookTooLong: self.init(.timedOut, request, "\(error)")
        case .cancelled: self.init(.cancelled, request, "\(error)")
        case .noAnswer(let cause): self.init(cause, request, error, otherwise: .cannotConnectToHost)
        case .brokenOff(let cause): self.init(cause, request, error, otherwise: .networkConnectionLost)
        }
    }

    init(_ code: Code, _ request: URLRequest, _ description: String, cause: (any Error)? = nil) {
        self.init(code, url: request.url?.absoluteString ?? "", description, cause: cause)
    }

    private init(_ cause: any Error, _ request: URLRequest, _ error: EngineError, otherwise code: Code) {
        // URLSession on Linux reports many failures as `unknown`, e.g. a body that was cut.
        let known = cause is CancellationError ? .cancelled : (cause as? URLError)?.code
        let reason = (cause as? URLError)?.localizedDescription ?? "\(error)"
        let found = known.flatMap { $0 == .unknown ? nil : $0 } ?? code
        let isOffline =
            (found == .cannotFindHost || found == .cannotConnectToHost) && NetworkInterfaces.isOffline(for: request.url)
        self.init(isOffline ? .notConnectedToInternet : found, request, reason, cause: cause)
    }

    init(_ error: any Error, _ request: URLRequest) {
        switch error {
        case let error as URLError: self = error
        case let error as EngineError: self.init(error, request)
        default: self.init(error is CancellationError ? .cancelled : .unknown, request, "\(error)", cause: error)
        }
    }
}

/// The machine's network interfaces, for the error when no host was found.
enum NetworkInterfaces {
    struct Interface {
        let isLoopback: Bool
        let isUp: Bool
    }

    /// Whether no interface but loopback has an address and the URL is of another machine: URLSession's
    /// `notConnectedToInternet`.
    static func isOffline(for url: URL?, _ interfaces: [Interface] = present()) -> Bool {
        guard let host = url?.host?.lowercased(), !isOfThisMachine(host) else { return false }
        return !interfaces.contains { $0.isUp && !$0.isLoopback }
    }

    private static func isOfThisMachine(_ host: String) -> Bool {
        host == "localhost" || host.hasSuffix(".localhost") || host == "::1" || host == "[::1]"
            || host.hasPrefix("127.")
    }

    private static func present() -> [Interface] {
        var first: UnsafeMutablePointer<ifaddrs>?
        // If the list cannot be read, we assume that the machine is connected.
        guard getifaddrs(&first) == 0 else { return [Interface(isLoopback: false, isUp: true)] }
        defer { freeifaddrs(first) }
        var interfaces: [Interface] = []
        var next = first
        while let entry = next {
            let flags = Int(entry.pointee.ifa_flags)
            if let address = entry.pointee.ifa_addr,
                [sa_family_t(AF_INET), sa_family_t(AF_INET6)].contains(address.pointee.sa_family)
            {
                interfaces.append(Interface(isLoopback: flags & Int(IFF_LOOPBACK) != 0, isUp: flags & Int(IFF_UP) != 0))
            }
            next = entry.pointee.ifa_next
        }
        return interfaces
    }
}
