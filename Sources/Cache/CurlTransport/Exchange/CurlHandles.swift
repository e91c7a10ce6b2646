/// A session's easy handles: each has the options that every exchange has, and is used for one.
///
/// Making one and destroying one take some microseconds each, so both are done while the thread would only wait: `prepare`
/// makes the next one ahead.
///
/// Used by the worker's thread alone, and destroyed with the worker.
struct CurlHandles: ~Copyable {
    private let library: CurlLibrary
    private let settings: TransportSettings
    private let connections: CurlConnections
    private var next: CurlLibrary.Handle?
    /// They own memory of which their handles have the address.
    private var used: [CurlTransfer] = []

    init(_ library: CurlLibrary, _ settings: TransportSettings, _ connections: CurlConnections) {
        self.library = library
        self.settings = settings
        self.connections = connections
    }

    deinit {
        for transfer in used { library.destroyEasy(transfer.easy) }
        if let next { library.destroyEasy(next) }
    }

    /// A handle; `nil` when there is no memory for it.
    mutating func take() -> CurlLibrary.Handle? { next.take() ?? make() }

    /// Takes the handle of a transfer that belongs to no multi handle any more. It is not used again: libcurl 7.88 keeps a
    /// pointer to the last header line of an exchange, which a folded first line of the next one makes it follow.
    mutating func retire(_ transfer: CurlTransfer) {
        used.append(transfer)
        // A thread that always has work would keep them all.
        if used.count >= 16 { destroyUsed() }
    }

    /// Handles that wait to be destroyed.
    var usedCount: Int { used.count }

    /// Does the work that no exchange waits for.
    mutating func prepare() {
        destroyUsed()
        if next == nil { next = make() }
    }

    private mutating func destroyUsed() {
        for transfer in used { library.destroyEasy(transfer.easy) }
        used.removeAll(keepingCapacity: true)
    }

    private func make() -> CurlLibrary.Handle? {
        guard let easy = library.makeEasy() else { return nil }
        CurlTransfer.configure(easy, library, settings, connections)
        return easy
    }
}
