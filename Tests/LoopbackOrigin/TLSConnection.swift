// Invariant of the pointers: `context` lives for ever. `state` belongs to one connection, is used by its thread alone,
// and is freed once, by `deinit`. OpenSSL lends the offers of a client, and the name that is chosen is one of them.

import Platform

/// The server's side of TLS by OpenSSL, found at run time: nothing has to be installed where libcurl rests on it.
///
/// `@unchecked Sendable`: OpenSSL has its own locks in a context, which is not changed once it is made.
public struct TLSServer: @unchecked Sendable {
    fileprivate let library: OpenSSL
    fileprivate let context: UnsafeMutableRawPointer

    /// A protocol that a server offers, alone (RFC 7301, section 3.2).
    public enum Offer: Sendable {
        case http2, http1
    }

    /// A server.
    ///
    /// - Parameters:
    ///   - certificate: a file in PEM, with the chain of its authorities.
    ///   - key: a file in PEM.
    /// - Throws: where OpenSSL is missing, or does not take a file.
    public init(certificate: String, key: String, _ offer: Offer = .http2) throws {
        library = try OpenSSL.shared.get()
        guard let context = library.makeContext(library.serverMethod()),
            library.useCertificate(context, certificate) == 1, library.useKey(context, key, 1) == 1
        else { throw DynamicLibrary.Missing(reason: "OpenSSL does not take the certificate") }
        switch offer {
        case .http2:
            library.selectProtocol(
                context, { _, chosen, length, offers, size, _ in choose("h2", chosen, length, offers, size) }, nil)
        case .http1:
            library.selectProtocol(
                context, { _, chosen, length, offers, size, _ in choose("http/1.1", chosen, length, offers, size) },
                nil)
        }
        self.context = context
    }
}

/// Chooses a protocol among a client's offers, each a length and a name. Without it the handshake fails.
private func choose(
    _ wanted: String, _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ length: UnsafeMutablePointer<UInt8>?,
    _ offers: UnsafePointer<UInt8>?, _ size: UInt32
) -> Int32 {
    var offers = UnsafeBufferPointer(start: offers, count: Int(size))[...]
    while let count = offers.popFirst(), Int(count) <= offers.count {
        let name = UnsafeBufferPointer(rebasing: offers.prefix(Int(count)))
        if name.elementsEqual(wanted.utf8) {
            chosen?.pointee = name.baseAddress
            length?.pointee = count
            return 0
        }
        offers = offers.dropFirst(Int(count))
    }
    return 2
}

/// A connection, used by one thread.
final class TLSConnection {
    private let library: OpenSSL
    private let state: UnsafeMutableRawPointer

    /// `nil` when the peer does not get through the handshake. The descriptor stays the caller's.
    init?(_ server: TLSServer, _ descriptor: Int32) {
        guard let state = server.library.makeConnection(server.context) else { return nil }
        library = server.library
        self.state = state
        guard library.setDescriptor(state, descriptor) == 1, library.accept(state) == 1 else { return nil }
    }

    deinit { library.free(state) }

    /// `nil` at the end.
    func read(atMost count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        let length = library.read(state, &bytes, Int32(count))
        return length > 0 ? Array(bytes[..<Int(length)]) : nil
    }

    /// `false` when the peer has gone.
    func write(_ bytes: [UInt8]) -> Bool { bytes.isEmpty || library.write(state, bytes, Int32(bytes.count)) > 0 }

    /// Sends a ticket at once, where OpenSSL is 3.0 or later.
    func sendTicket() {
        guard library.makeTicket?(state) == 1 else { return }
        _ = library.handshake(state)
    }

    /// Says that nothing more comes.
    func close() { _ = library.shutDown(state) }
}

/// OpenSSL's functions.
///
/// `@unchecked Sendable`: addresses of functions, which never change.
private struct OpenSSL: @unchecked Sendable {
    typealias Pointer = UnsafeMutableRawPointer
    typealias Select =
        @convention(c) (
            Pointer?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, UnsafeMutablePointer<UInt8>?,
            UnsafePointer<UInt8>?, UInt32, Pointer?
        ) -> Int32

    let serverMethod: @convention(c) () -> Pointer?
    let makeContext: @convention(c) (Pointer?) -> Pointer?
    let useCertificate: @convention(c) (Pointer, UnsafePointer<CChar>) -> Int32
    let useKey: @convention(c) (Pointer, UnsafePointer<CChar>, Int32) -> Int32
    let selectProtocol: @convention(c) (Pointer, Select, Pointer?) -> Void
    let makeConnection: @convention(c) (Pointer) -> Pointer?
    let setDescriptor: @convention(c) (Pointer, Int32) -> Int32
    let accept: @convention(c) (Pointer) -> Int32
    let read: @convention(c) (Pointer, UnsafeMutablePointer<UInt8>, Int32) -> Int32
    let write: @convention(c) (Pointer, UnsafePointer<UInt8>, Int32) -> Int32
    let shutDown: @convention(c) (Pointer) -> Int32
    let free: @convention(c) (Pointer) -> Void
    let handshake: @convention(c) (Pointer) -> Int32
    /// `nil` before OpenSSL 3.0.
    let makeTicket: (@convention(c) (Pointer) -> Int32)?

    static let shared = Result { () throws(DynamicLibrary.Missing) in try OpenSSL() }

    private init() throws(DynamicLibrary.Missing) {
        let library = try DynamicLibrary(["libssl.so.3", "libssl.so.1.1", "libssl.so"])
        serverMethod = try library.function("TLS_server_method")
        makeContext = try library.function("SSL_CTX_new")
        useCertificate = try library.function("SSL_CTX_use_certificate_chain_file")
        useKey = try library.function("SSL_CTX_use_PrivateKey_file")
        selectProtocol = try library.function("SSL_CTX_set_alpn_select_cb")
        makeConnection = try library.function("SSL_new")
        setDescriptor = try library.function("SSL_set_fd")
        accept = try library.function("SSL_accept")
        read = try library.function("SSL_read")
        write = try library.function("SSL_write")
        shutDown = try library.function("SSL_shutdown")
        free = try library.function("SSL_free")
        handshake = try library.function("SSL_do_handshake")
        makeTicket = try? library.function("SSL_new_session_ticket")
    }
}
