import Foundation
import Platform

#if canImport(Darwin)
let shutdownBoth = SHUT_RDWR
private let streamSocket = SOCK_STREAM
private let sendFlags: Int32 = 0
#else
let shutdownBoth = Int32(SHUT_RDWR)
private let streamSocket = Int32(SOCK_STREAM.rawValue)
private let sendFlags = Int32(MSG_NOSIGNAL)
#endif

/// A socket that listens on a port of 127.0.0.1 that the system has chosen.
func listeningSocket() throws -> Int32 {
    _ = roomForSockets
    let descriptor = try newSocket()
    var address = loopbackAddress(port: 0)
    let bound = withSocketAddress(&address) { bind(descriptor, $0, $1) }
    guard bound == 0, listen(descriptor, 128) == 0 else {
        let error = SystemError.last
        close(descriptor)
        throw error
    }
    return descriptor
}

/// Raises the limit of descriptors, once: tests run side by side, and 1,024, the usual limit, are too few for their
/// origins and sessions.
private let roomForSockets: Void = {
    var limits = rlimit()
    guard getrlimit(descriptorLimit, &limits) == 0, limits.rlim_cur < 10_240 else { return }
    limits.rlim_cur = min(limits.rlim_max, 10_240)
    setrlimit(descriptorLimit, &limits)
}()

/// The port that a socket is bound to.
func boundPort(of descriptor: Int32) -> UInt16 {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    return UInt16(bigEndian: address.sin_port)
}

/// Hands each connection to `serve` on its own thread, and closes it afterwards, until the listener is shut down.
func serveEach(_ listener: Int32, _ serve: @escaping @Sendable (_ descriptor: Int32) -> Void) {
    Thread.detachNewThread {
        while true {
            let descriptor = accept(listener, nil, nil)
            if descriptor < 0, errno == EINTR || errno == ECONNABORTED { continue }
            guard descriptor >= 0 else { break }
            prepare(descriptor)
            Thread.detachNewThread {
                serve(descriptor)
                close(descriptor)
            }
        }
        close(listener)
    }
}

/// A socket that is connected to a port of 127.0.0.1.
public func connectedSocket(to port: UInt16) throws -> Int32 {
    let descriptor = try newSocket()
    prepare(descriptor)
    var address = loopbackAddress(port: port)
    while withSocketAddress(&address, { connect(descriptor, $0, $1) }) != 0 {
        if errno == EINTR { continue }
        let error = SystemError.last
        close(descriptor)
        throw error
    }
    return descriptor
}

/// No signal when the peer has gone, no waiting for small parts to become larger ones, nothing for children.
func prepare(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var one: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout.size(ofValue: one)))
    #if canImport(Darwin)
    setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &one, socklen_t(MemoryLayout.size(ofValue: one)))
    #endif
}

/// Sends all of it; `false` when the peer has gone.
public func sendAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var sent = 0
    while sent < bytes.count {
        let count = bytes.withUnsafeBytes { buffer in
            let rest = UnsafeRawBufferPointer(rebasing: buffer[sent...])
            return send(descriptor, rest.baseAddress, rest.count, sendFlags)
        }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        sent += count
    }
    return true
}

private func newSocket() throws -> Int32 {
    let descriptor = socket(AF_INET, streamSocket, 0)
    guard descriptor >= 0 else { throw SystemError.last }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
}

private func loopbackAddress(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
}

private func withSocketAddress(
    _ address: inout sockaddr_in, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32
) -> Int32 {
    withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            call($0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
}

/// Writing to a connection that the peer has closed is an error, not a signal.
func blockBrokenPipeSignal() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
}

/// Counts what comes on all connections.
final class Count: Sendable {
    let value = Locked(0)
}

/// Bytes that were sent and not acknowledged yet; 0 where the system does not say.
func unacknowledgedBytes(_ descriptor: Int32) -> Int32 {
    #if os(Linux)
    var count: Int32 = 0
    return ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 ? count : 0
    #else
    return 0
    #endif
}
