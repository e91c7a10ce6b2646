import HTTPCache
import HTTPSemantics
import Platform

/// An answer on its way from libcurl's thread to the engine, with a bounded number of bytes that wait to be read.
final class CurlBody: IncomingBody, Sendable {
    /// Bytes that may wait; then the transfer is paused. Larger parts mean fewer switches between threads.
    static let window = 512 << 10
    /// Bytes for which a reader is woken before libcurl has given all that it has.
    private static let wakeUpThreshold = 128 << 10

    private struct State {
        var head: HTTPResponse?
        var bytes: [UInt8] = []
        var end: Result<Void, any Error>?
        /// The transfer has to be told when there is room again.
        var isFull = false
    }

    private let state = Locked(State())
    private let event = AutoResetEvent()
    private let onRoom: @Sendable () -> Void
    private let onCancel: @Sendable () -> Void

    /// - Parameters:
    ///   - onRoom: called when bytes were read of a body that was full.
    ///   - onCancel: called when the rest is not wanted.
    init(onRoom: @escaping @Sendable () -> Void, onCancel: @escaping @Sendable () -> Void) {
        self.onRoom = onRoom
        self.onCancel = onCancel
    }

    // MARK: The engine's side

    /// Waits for the header.
    func head() async throws -> HTTPResponse {
        while true {
            let head: HTTPResponse? = try state.withLock { state in
                if let head = state.head { return head }
                if case .failure(let error) = state.end { throw error }
                return nil
            }
            if let head { return head }
            try await wait()
        }
    }

    func next() async throws -> [UInt8]? {
        while true {
            var wasFull = false
            let (bytes, end): ([UInt8], Result<Void, any Error>?) = state.withLock { state in
                var bytes: [UInt8] = []
                swap(&bytes, &state.bytes)
                if !bytes.isEmpty { (wasFull, state.isFull) = (state.isFull, false) }
                return (bytes, state.end)
            }
            if wasFull { onRoom() }
            if !bytes.isEmpty { return bytes }
            if let end {
                try end.get()
                return nil
            }
            try await wait()
        }
    }

    func cancel() {
        let wasUnderWay = state.withLock { state in
            guard state.end == nil else { return false }
            state.end = .failure(CancellationError())
            return true
        }
        guard wasUnderWay else { return }
        event.set()
        onCancel()
    }

    private func wait() async throws {
        await event.wait()
        guard !Task.isCancelled else {
            cancel()
            throw CancellationError()
        }
    }

    // MARK: libcurl's side

    /// Bytes that may be added; 0 when the transfer has to wait until `onRoom` is called.
    func room() -> Int {
        state.withLock { state in
            let room = max(Self.window - state.bytes.count, 0)
            if room == 0 { state.isFull = true }
            return room
        }
    }

    func receive(_ head: HTTPResponse) { state.withLock { $0.head = head } }

    /// Adds bytes, at most as many as there is room for and one part more.
    func receive(_ bytes: UnsafeRawBufferPointer) {
        let count = state.withLock { state in
            state.bytes.append(contentsOf: bytes)
            return state.bytes.count
        }
        if count >= Self.wakeUpThreshold { event.set() }
    }

    func finish(_ end: Result<Void, any Error>) {
        state.withLock { $0.end = $0.end ?? end }
        event.set()
    }

    /// Wakes the reader.
    func wakeUp() { event.set() }
}
