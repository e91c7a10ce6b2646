import Foundation
import Platform

/// An HTTP/1.1 origin in the test's own process, on a port of 127.0.0.1 that the system chooses: its answer is a
/// function of the request, and it remembers what it was asked.
///
/// A thread a connection, blocking. It waits for nothing but its peers and the `Hold`s of its replies.
///
/// `@unchecked Sendable`: every variable is touched under the condition's lock alone.
public final class LoopbackOrigin: @unchecked Sendable {
    /// Called on a thread of a connection, for several connections at once.
    public typealias Handler = @Sendable (OriginRequest) -> OriginReply

    /// `http://127.0.0.1:` and the port.
    public let base: String
    /// The port alone.
    public let port: UInt16

    private let condition = NSCondition()
    private let listener: Int32
    private var handler: Handler
    private var received: [OriginRequest] = []
    private var countByPath: [String: Int] = [:]
    private var open: Set<Int32> = []
    private var connectionsSoFar = 0
    private var threads = 0
    private var isStopped = false
    private let remembers: Bool

    /// Begins to listen.
    ///
    /// - Parameter remembers: keeps the requests; otherwise only counts them.
    public init(remembers: Bool = true, _ handler: @escaping Handler = { _ in OriginReply(status: 404) }) throws {
        self.handler = handler
        self.remembers = remembers
        listener = try listeningSocket()
        port = boundPort(of: listener)
        base = "http://127.0.0.1:\(port)"
        threads = 1
        Thread.detachNewThread { self.acceptConnections() }
    }

    // MARK: The test's side

    /// Answers so from now on.
    public func reply(_ handler: @escaping Handler) { locked { self.handler = handler } }

    /// A URL of this origin.
    public func url(_ path: String) -> URL { URL(string: base + path)! }

    /// The requests that have come, in their order.
    public var requests: [OriginRequest] { locked { received } }

    /// How many requests have come for a path, its query included; for all without one.
    public func count(_ path: String? = nil) -> Int {
        locked { path.map { countByPath[$0] ?? 0 } ?? countByPath.values.reduce(0, +) }
    }

    /// How many of them asked whether something has changed.
    public func conditionalCount(_ path: String? = nil) -> Int {
        requests.filter { (path == nil || $0.path == path) && $0.isConditional }.count
    }

    /// Connections that were ever accepted, and those that are open.
    public var connections: (soFar: Int, open: Int) { locked { (connectionsSoFar, open.count) } }

    /// Closes everything, and waits until all its threads are done. Later connections are refused.
    ///
    /// A reply that is held has to be released before.
    public func stop() {
        condition.lock()
        let isFirst = !isStopped
        isStopped = true
        // A thread that blocks in one of them returns; closing is theirs.
        for descriptor in open { shutdown(descriptor, shutdownBoth) }
        if isFirst { shutdown(listener, shutdownBoth) }
        condition.unlock()
        // On some systems shutdown alone does not wake accept.
        if isFirst, let waking = try? connectedSocket(to: port) { close(waking) }
        condition.lock()
        while threads > 0 { condition.wait() }
        condition.unlock()
        if isFirst { close(listener) }
    }

    // MARK: Its threads

    private func acceptConnections() {
        while true {
            let descriptor = accept(listener, nil, nil)
            if descriptor < 0, errno == EINTR || errno == ECONNABORTED { continue }
            let goesOn = locked {
                guard descriptor >= 0, !isStopped else { return false }
                prepare(descriptor)
                open.insert(descriptor)
                connectionsSoFar += 1
                threads += 1
                return true
            }
            guard goesOn else {
                if descriptor >= 0 { close(descriptor) }
                // Without descriptors: who connects is refused, rather than left to wait.
                shutdown(listener, shutdownBoth)
                break
            }
            Thread.detachNewThread {
                self.serve(OriginConnection(descriptor))
                self.locked {
                    self.open.remove(descriptor)
                    // Under the lock: the number must not be another connection's before it is forgotten.
                    close(descriptor)
                    self.threads -= 1
                    self.condition.broadcast()
                }
            }
        }
        locked {
            threads -= 1
            condition.broadcast()
        }
    }

    private func serve(_ connection: OriginConnection) {
        while let request = connection.nextRequest() {
            let handler = locked {
                countByPath[request.path, default: 0] += 1
                if remembers { received.append(request) }
                return self.handler
            }
            guard connection.send(handler(request), to: request) else { return }
        }
    }

    private func locked<Value>(_ body: () -> Value) -> Value {
        condition.lock()
        defer { condition.unlock() }
        return body()
    }
}
